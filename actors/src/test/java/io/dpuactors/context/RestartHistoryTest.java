package io.dpuactors.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.pekko.actor.typed.BackoffSupervisorStrategy;
import org.apache.pekko.actor.typed.RestartSupervisorStrategy;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.Test;

class RestartHistoryTest {
  private static final long S = 1_000_000_000L;
  private static final long CALM = 60 * S;

  private final RestartHistory history = history(2 * S, 9 * S);

  private static RestartHistory history(long backoffNs, long backoffMaxNs) {
    return new RestartHistory(
        new RestartSettings(SupervisorStrategy.restart(), 100, 0, backoffNs, backoffMaxNs, CALM));
  }

  private long delayAfterFailure(RestartHistory failing, long nowNs) {
    failing.failed(nowNs);
    return failing.delayNs();
  }

  @Test
  void aFirstFailureHasNoDelay() {
    assertThat(history.hasRun()).isFalse();
    history.running(S);

    assertThat(history.hasRun()).isTrue();
    assertThat(history.delayNs()).isZero();
    assertThat(delayAfterFailure(history, 2 * S)).isZero();
  }

  @Test
  void theDelayDoublesUpToItsMaximum() {
    history.running(0);
    history.failed(S);

    assertThat(delayAfterFailure(history, 2 * S)).isEqualTo(2 * S);
    assertThat(delayAfterFailure(history, 3 * S)).isEqualTo(4 * S);
    assertThat(delayAfterFailure(history, 4 * S)).isEqualTo(8 * S);
    assertThat(delayAfterFailure(history, 5 * S)).isEqualTo(9 * S);
    assertThat(delayAfterFailure(history, 6 * S)).isEqualTo(9 * S);
  }

  @Test
  void aCalmTimeMakesTheNextFailureTheFirst() {
    history.running(0);
    history.failed(S);
    history.failed(2 * S);
    history.running(3 * S);

    assertThat(delayAfterFailure(history, 3 * S + CALM)).isZero();
  }

  @Test
  void aShortRunKeepsTheDelay() {
    history.running(0);
    history.failed(S);
    history.failed(2 * S);
    history.running(3 * S);

    assertThat(delayAfterFailure(history, 3 * S + CALM - 1)).isEqualTo(4 * S);
  }

  /** The calm time of an earlier incarnation does not count for one that failed to start. */
  @Test
  void failedStartsAfterACalmTimeAreDelayed() {
    history.running(0);
    history.failed(CALM);

    assertThat(delayAfterFailure(history, CALM + S)).isEqualTo(2 * S);
    assertThat(delayAfterFailure(history, 3 * CALM)).isEqualTo(4 * S);
  }

  @Test
  void aLongDelayDoesNotOverflow() {
    RestartHistory slow = history(10 * S, 600 * S);
    slow.running(0);
    for (int failures = 0; failures < 100; failures++) {
      slow.failed(S);
    }

    assertThat(slow.delayNs()).isEqualTo(600 * S);
    RestartHistory endless = history(Long.MAX_VALUE / 3, Long.MAX_VALUE);
    endless.running(0);
    endless.failed(S);
    endless.failed(S);
    assertThat(delayAfterFailure(endless, S)).isEqualTo(Long.MAX_VALUE / 3 * 2);
    assertThat(delayAfterFailure(endless, S)).isEqualTo(Long.MAX_VALUE);
  }

  /** Pekko does not delay: it would stash requests, and drop them if no incarnation follows. */
  @Test
  void aStrategyWithBackOffDelaysEachRestart() {
    RestartHistory delayed = under(strategy());
    delayed.running(0);

    assertThat(delayAfterFailure(delayed, S)).isEqualTo(2 * S);
    assertThat(delayAfterFailure(delayed, 2 * S)).isEqualTo(4 * S);
    assertThat(delayAfterFailure(delayed, 3 * S)).isEqualTo(5 * S);
    delayed.running(4 * S);
    assertThat(delayAfterFailure(delayed, 4 * S + CALM)).isEqualTo(2 * S);
    assertThat(delayed.isOver()).isFalse();
  }

  @Test
  void aStrategyWithBackOffLimitsTheRestartsInARow() {
    RestartHistory limited = under(strategy().withMaxRestarts(2));
    limited.running(0);
    limited.failed(S);
    limited.failed(2 * S);
    assertThat(limited.isOver()).isFalse();
    limited.running(3 * S);
    limited.failed(3 * S + CALM);
    limited.failed(4 * S + CALM);
    assertThat(limited.isOver()).isFalse();
    limited.failed(5 * S + CALM);
    assertThat(limited.isOver()).isTrue();
  }

  private static BackoffSupervisorStrategy strategy() {
    return SupervisorStrategy.restartWithBackoff(Duration.ofSeconds(2), Duration.ofSeconds(5), 0.5)
        .withResetBackoffAfter(Duration.ofNanos(CALM));
  }

  private static RestartHistory under(SupervisorStrategy strategy) {
    RestartSettings configured = new RestartSettings(SupervisorStrategy.restart(), 100, 0, 0, 0, 0);
    RestartSettings settings = configured.under(strategy);
    assertThat(settings.strategy()).isInstanceOf(RestartSupervisorStrategy.class);
    return new RestartHistory(settings);
  }

  @Test
  void withoutABackOffThereIsNoDelay() {
    RestartHistory eager = history(0, 0);
    eager.running(0);
    eager.failed(S);

    assertThat(delayAfterFailure(eager, 2 * S)).isZero();
  }
}
