package io.dpuactors.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.streams.StreamMessage.Element;
import io.dpuactors.streams.StreamMessage.Fail;
import io.dpuactors.streams.StreamMessage.Grant;
import io.dpuactors.streams.StreamMessage.Mark;
import io.dpuactors.streams.StreamMessage.Open;
import io.dpuactors.streams.StreamMessage.Part;
import java.util.HexFormat;
import java.util.List;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the bytes of the messages of a stream. docs/streams.md lists the same ones. */
class StreamMessageTest {
  private static final HexFormat HEX = HexFormat.of();

  @ParameterizedTest
  @CsvSource({
    "OPEN, 010110000000",
    "ELEMENT, 02aabb",
    "EMPTY, 02",
    "GRANT, 0300010000",
    "END, 04",
    "CANCEL, 05",
    "FAIL, 06626164",
    "CLOSE, 07",
    "PART, 08aabb"
  })
  void aMessageHasTheseBytes(String name, String bytes) {
    StreamMessage message =
        switch (name) {
          case "OPEN" -> new Open(16);
          case "ELEMENT" -> new Element(ByteString.fromInts(0xaa, 0xbb));
          case "EMPTY" -> new Element(ByteString.emptyByteString());
          case "PART" -> new Part(ByteString.fromInts(0xaa, 0xbb));
          case "GRANT" -> new Grant(256);
          case "FAIL" -> new Fail("bad");
          default -> Mark.valueOf(name);
        };
    assertThat(HEX.formatHex(message.encode())).isEqualTo(bytes);
    assertThat(StreamMessage.decode(HEX.parseHex(bytes))).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // no byte
        "00", // no type
        "08", // a part without content
        "09",
        "0700",
        "70696e67", // "ping"
        "01", // OPEN without content
        "010210000000", // of another version
        "010100000000", // that grants nothing
        "0101ffffffff",
        "01011000000000",
        "030000000000",
        "0300000000",
        "0400",
        "0500"
      })
  void otherBytesAreRefused(String bytes) {
    byte[] message = HEX.parseHex(bytes);
    assertThatExceptionOfType(DocaException.class)
        .isThrownBy(() -> StreamMessage.decode(message))
        .satisfies(e -> assertThat(e.error().code()).isEqualTo(DocaCode.BAD_STATE));
  }

  @Test
  void aLongReasonIsCutToTheLimit() {
    byte[] bytes = new Fail("x".repeat(5000)).encode();
    assertThat(bytes).hasSize(1 + StreamMessage.MAX_REASON_BYTES);
    assertThat(List.of(StreamMessage.decode(bytes))).hasOnlyElementsOfType(Fail.class);
    byte[] longer = new byte[bytes.length + 1];
    longer[0] = 6;
    assertThatExceptionOfType(DocaException.class).isThrownBy(() -> StreamMessage.decode(longer));
  }
}
