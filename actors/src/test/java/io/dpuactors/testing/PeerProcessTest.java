package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the limits of {@link PeerProcess}. */
class PeerProcessTest {
  /** A process that prints nothing until its input ends. */
  static final class Silent {
    private Silent() {}

    public static void main(String[] args) throws IOException {
      System.in.read();
    }
  }

  @Test
  void theWaitForASilentPeerHasALimit() throws IOException {
    try (PeerProcess peer = PeerProcess.start(Silent.class, Map.of())) {
      assertThatThrownBy(() -> peer.awaitReady(Duration.ofMillis(200)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("what the peer says");
    }
  }
}
