package io.dpuactors.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.protocol.wire.Fuzz;
import io.dpuactors.protocol.wire.Golden;
import io.dpuactors.wire.CompressMessage.End;
import io.dpuactors.wire.CompressMessage.Failed;
import io.dpuactors.wire.CompressMessage.Hello;
import io.dpuactors.wire.CompressMessage.Reason;
import io.dpuactors.wire.CompressMessage.Summary;
import io.dpuactors.wire.CompressMessage.Welcome;
import io.dpuactors.wire.CompressTag.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CompressMessageTest {
  private static final List<CompressMessage> GOLDEN =
      List.of(
          new Hello(1 << 20, 4),
          new Welcome(65536, 73856, 2),
          new End(3, 0x1_2345_6789L, 0xcafebabe),
          new Summary(3, 0x1_2345_6789L, 77, 0xcafebabe),
          new Failed(Reason.DEVICE, "block 2: gone"));

  static Stream<CompressMessage> messages() {
    List<CompressMessage> all = new ArrayList<>(GOLDEN);
    all.add(new Hello(1, 1));
    all.add(new Welcome(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE));
    all.add(new End(0, 0, 0));
    all.add(new Summary(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, -1));
    for (Reason reason : Reason.values()) {
      all.add(new Failed(reason, "größer: " + reason));
    }
    all.add(new Failed(Reason.BUSY, ""));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageRoundTrips(CompressMessage message) throws WireException {
    assertThat(CompressMessage.decode(message.encode())).isEqualTo(message);
    assertThat(message.encode().length).isLessThanOrEqualTo(CompressMessage.MAX_BYTES);
  }

  @Test
  void aLineHasNoControlCharacters() {
    Failed failed = new Failed(Reason.DEVICE, "a\u001b[2J\nb\u009b größer");
    assertThat(failed.line()).isEqualTo("a?[2J?b? größer");
    assertThat(failed).hasToString("DEVICE: a?[2J?b? größer");
  }

  @ParameterizedTest
  @CsvSource({
    "65536, 73856, 4, true",
    "4096, 1, 1, true",
    "65537, 73856, 4, false",
    "65536, 73856, 5, false",
    "65536, 1073741824, 4, false"
  })
  void aServerGrantsNoMoreThanIsRequested(
      int blockBytes, int payloadBytes, int window, boolean within) {
    Welcome granted = new Welcome(blockBytes, payloadBytes, window);
    assertThat(granted.isWithin(new Hello(65536, 4))).isEqualTo(within);
  }

  @ParameterizedTest
  @CsvSource({"3, 700, 9, true", "2, 700, 9, false", "3, 701, 9, false", "3, 700, 8, false"})
  void totalsAgreeInEverythingThatBothCount(
      long blocks, long contentBytes, int crc32, boolean same) {
    Summary summary = new Summary(3, 700, 77, 9);
    assertThat(summary.agreesWith(new End(blocks, contentBytes, crc32))).isEqualTo(same);
  }

  @Test
  void aMessageHasTheDocumentedBytes() throws IOException {
    for (CompressMessage message : GOLDEN) {
      byte[] golden = Golden.read("compress-" + message.getClass().getSimpleName());
      assertThat(message.encode()).as(message.toString()).isEqualTo(golden);
    }
    CompressTag block = CompressTag.block(0x1_0000_0002L, 65536, 0xcafebabe);
    assertThat(block.encode()).isEqualTo(Golden.read("compress-tag-block"));
    assertThat(block.member(77).encode()).isEqualTo(Golden.read("compress-tag-member"));
  }

  @Test
  void aLongTextIsCutBetweenCharacters() throws WireException {
    String text = "x".repeat(511) + "äää";
    Failed cut = (Failed) CompressMessage.decode(new Failed(Reason.BUSY, text).encode());
    assertThat(cut.text()).isEqualTo("x".repeat(511));
    text = "x".repeat(510) + "äää";
    cut = (Failed) CompressMessage.decode(new Failed(Reason.BUSY, text).encode());
    assertThat(cut.text()).isEqualTo("x".repeat(510) + "ä");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 45, no message of the compress service",
    "4, 2, has version 2",
    "5, 0, there is no such type",
    "5, 6, there is no such type",
    "5, 2, it ends too early",
    "6, 9, bytes long",
    "11, -1, at least 1",
    "8, 0, at least 1"
  })
  void aDamagedHelloIsRefused(int index, byte value, String why) {
    byte[] hello = new Hello(1, 4).encode();
    hello[index] = value;
    assertThatThrownBy(() -> CompressMessage.decode(hello))
        .isInstanceOf(WireException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aMessageHasItsLengthAndNoMore() {
    byte[] hello = new Hello(1, 4).encode();
    byte[] longer = Arrays.copyOf(hello, hello.length + 4);
    assertThatThrownBy(() -> CompressMessage.decode(longer)).isInstanceOf(WireException.class);
    longer[6] = 12;
    assertThatThrownBy(() -> CompressMessage.decode(longer)).hasMessageContaining("left over");
    assertThatThrownBy(() -> CompressMessage.decode(new byte[0])).isInstanceOf(WireException.class);
    byte[] failed = new Failed(Reason.BUSY, "x").encode();
    failed[8] = 5;
    assertThatThrownBy(() -> CompressMessage.decode(failed)).hasMessageContaining("no reason 5");
    failed[8] = 0;
    failed[9] = (byte) 0xff;
    assertThatThrownBy(() -> CompressMessage.decode(failed)).hasMessageContaining("UTF-8");
  }

  @Test
  void aDamagedMessageHasAMeaningOrIsRefused() {
    int refused =
        Fuzz.refusals(
            5,
            message -> assertThat(CompressMessage.decode(message).encode()).isEqualTo(message),
            messages().map(CompressMessage::encode).toArray(byte[][]::new));
    assertThat(refused).isBetween(5_000, 19_900);
  }

  @Test
  void aTagRoundTripsAndFitsItsBuffer() throws WireException {
    CompressTag block = CompressTag.block(Long.MAX_VALUE, 1000, -1);
    assertThat(CompressTag.decode(block.encode(), Kind.BLOCK, 1000)).isEqualTo(block);
    CompressTag member = block.member(77);
    assertThat(CompressTag.decode(member.encode(), Kind.MEMBER, 77)).isEqualTo(member);
    assertThatThrownBy(() -> CompressTag.decode(block.encode(), Kind.BLOCK, 999))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("arrived with 999 bytes instead of 1000");
    assertThatThrownBy(() -> CompressTag.decode(block.encode(), Kind.MEMBER, 1000))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("where a MEMBER was expected");
    assertThatThrownBy(() -> CompressTag.decode(new byte[0], Kind.BLOCK, 5))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("no tag");
  }

  @Test
  void aDamagedTagHasAMeaningOrIsRefused() {
    CompressTag block = CompressTag.block(3, 1000, 7);
    int refused =
        Fuzz.refusals(
            6,
            message ->
                assertThat(CompressTag.decode(message, Kind.BLOCK, 1000).encode())
                    .isEqualTo(message),
            block.encode(),
            block.member(77).encode());
    assertThat(refused).isBetween(5_000, 19_990);
  }

  @Test
  void thereIsNoSuchTag() {
    for (int[] wrong : new int[][] {{-1, 1}, {0, 0}, {0, -1}}) {
      assertThatThrownBy(() -> CompressTag.block(wrong[0], wrong[1], 0))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> CompressTag.block(0, 1, 0).member(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
