package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the limit of the lengths of frames. */
class FrameGuardTest {
  /** A header, frames of 3, 0 and 258 bytes, then one of 259 bytes. */
  private static final String FRAMES =
      "50454b4b01" + "03000000ffffff" + "00000000" + "02010000" + "ff".repeat(258);

  private static final String TOO_LONG = "03010000";

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void onlyALengthAboveTheLimitFails(int step) {
    FrameGuard guard = new FrameGuard(258);
    assertThatCode(() -> read(guard, FRAMES + "030100", step)).doesNotThrowAnyException();
    assertThatThrownBy(() -> read(guard, "00", step))
        .isInstanceOf(SSLException.class)
        .hasMessage("frame of 259 bytes; the limit is 258");
  }

  /** The length has no sign: the largest one is not negative. */
  @Test
  void theLargestLengthFails() {
    assertThatThrownBy(() -> read(new FrameGuard(258), FRAMES + "ffffffff", 1000))
        .hasMessage("frame of 4294967295 bytes; the limit is 258");
  }

  @Test
  void aFailureAtAFrameHasItsReason() {
    assertThatThrownBy(() -> read(new FrameGuard(258), FRAMES + TOO_LONG, 1000))
        .extracting(e -> Refusals.Reason.of((SSLException) e))
        .isEqualTo(Refusals.Reason.FRAME);
  }

  private static void read(FrameGuard guard, String hex, int step) throws SSLException {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    while (bytes.hasRemaining()) {
      int length = Math.min(step, bytes.remaining());
      guard.read(bytes.slice(bytes.position(), length));
      bytes.position(bytes.position() + length);
    }
  }
}
