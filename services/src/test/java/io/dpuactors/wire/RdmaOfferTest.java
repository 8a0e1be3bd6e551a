package io.dpuactors.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RdmaOfferTest {
  private static final byte[] ENCODED =
      HexFormat.of()
          .parseHex("64707552" + "0102030405060708" + "0000000000001000" + "00000200" + "abcd");

  @Test
  void anOfferHasTheDocumentedBytes() throws WireException {
    byte[] memory = {(byte) 0xab, (byte) 0xcd};
    assertThat(new RdmaOffer(0x0102030405060708L, 4096, 512, memory).encode()).isEqualTo(ENCODED);
    RdmaOffer decoded = RdmaOffer.decode(ENCODED);
    assertThat(decoded.begin()).isEqualTo(0x0102030405060708L);
    assertThat(decoded.bytes()).isEqualTo(4096);
    assertThat(decoded.messageBytes()).isEqualTo(512);
    assertThat(decoded.memory()).isEqualTo(memory);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 24, 25})
  void aShortMessageIsRefused(int bytes) {
    assertThatThrownBy(() -> RdmaOffer.decode(Arrays.copyOf(ENCODED, bytes)))
        .isInstanceOf(WireException.class)
        .hasMessage("the server sent no offer of memory");
  }

  @Test
  void anotherMessageIsRefused() {
    byte[] other = ENCODED.clone();
    other[3]++;
    assertThatThrownBy(() -> RdmaOffer.decode(other)).isInstanceOf(WireException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 8, 1",
    "0, 7, 1",
    "0, -8, 1",
    "0, 8, 0",
    "0, 8, -1",
    "9223372036854775800, 8, 1"
  })
  void aNumberOutOfRangeIsRefused(long begin, long bytes, int messageBytes) {
    byte[] message = ENCODED.clone();
    ByteBuffer.wrap(message).putLong(4, begin).putLong(12, bytes).putInt(20, messageBytes);
    assertThatThrownBy(() -> RdmaOffer.decode(message))
        .isInstanceOf(WireException.class)
        .hasMessage("an offer of %d bytes at %d", bytes, begin);
  }
}
