package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the numbered messages of comch clients. */
class EchoMessageTest {
  @Test
  void aMessageHasItsNumberAndLength() {
    for (int length = EchoMessage.MIN_BYTES; length < 40; length++) {
      byte[] message = EchoMessage.of(1127, length);
      assertThat(message).hasSize(length);
      assertThat(EchoMessage.number(message)).isEqualTo(1127);
      assertThat(EchoMessage.isIntact(message)).isTrue();
    }
  }

  @Test
  void aChangedBitIsFound() {
    for (int bit = 0; bit < 8 * 20; bit++) {
      byte[] message = EchoMessage.of(7, 20);
      message[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(EchoMessage.isIntact(message)).isFalse();
    }
    assertThat(EchoMessage.isIntact(new byte[3])).isFalse();
  }
}
