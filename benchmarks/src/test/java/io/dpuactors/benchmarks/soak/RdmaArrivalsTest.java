package io.dpuactors.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Written;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RdmaArrivalsTest {
  private static final int BYTES = 64;

  private final RdmaArrivals arrivals = new RdmaArrivals();

  private static byte[] content(int number) {
    byte[] bytes = new byte[BYTES];
    RdmaRegion.put(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()), number, BYTES);
    return bytes;
  }

  private static Message message(int number, byte[] bytes) {
    return new Message(bytes, OptionalInt.of(RdmaRegion.immediate(number)));
  }

  private static Written written(int number, int bytes) {
    return new Written(bytes, RdmaRegion.immediate(number));
  }

  @Test
  void numbersOfMessagesAndWritesGrow() {
    assertThat(arrivals.isRight(message(1, content(1)))).isTrue();
    assertThat(arrivals.isRight(written(3, RdmaRegion.WRITTEN_BYTES))).isTrue();
    assertThat(arrivals.isRight(message(2, content(2)))).isFalse();
  }

  @Test
  void aMessageArrivesOnce() {
    assertThat(arrivals.isRight(message(1, content(1)))).isTrue();
    assertThat(arrivals.isRight(message(1, content(1)))).isFalse();
  }

  @Test
  void aWrongByteIsFound() {
    byte[] bytes = content(1);
    bytes[BYTES - 1]++;
    assertThat(arrivals.isRight(message(1, bytes))).isFalse();
  }

  @Test
  void theContentOfAnotherMessageIsFound() {
    assertThat(arrivals.isRight(message(1, content(2)))).isFalse();
  }

  @Test
  void aWriteOfAnotherLengthIsFound() {
    assertThat(arrivals.isRight(written(1, BYTES))).isFalse();
  }

  @Test
  void messagesOfOtherProcessesAreNotChecked() {
    assertThat(arrivals.isRight(new Message(new byte[3], OptionalInt.empty()))).isTrue();
    assertThat(arrivals.isRight(new Message(new byte[0], OptionalInt.of(3)))).isTrue();
  }
}
