package io.dpuactors.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both protocols of connections refuse credit for no message: it would stop a subscriber silently.
 */
class CreditTest {
  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void creditBelowOneIsRefused(int credit) {
    refused(credit, () -> new ConnectionProtocol.Grant(credit));
    refused(credit, () -> new RdmaConnectionProtocol.Grant(credit));
    refused(credit, () -> new ConnectionProtocol.Subscribe(nobody(), credit));
    refused(credit, () -> new RdmaConnectionProtocol.Subscribe(nobody(), credit));
  }

  private static void refused(int credit, Runnable creation) {
    assertThatThrownBy(creation::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("credit is " + credit + "; it must be at least 1");
  }

  /** The check comes before any use of the subscriber. */
  @SuppressWarnings("NullAway")
  private static <T> ActorRef<T> nobody() {
    @Nullable ActorRef<T> none = null;
    return none;
  }
}
