package io.dpuactors.context;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestartHistoryTest {
  private static final long S = 1_000_000_000L;
  private static final long CALM = 60 * S;

  private final RestartHistory history = history(2 * S, 9 * S);

  private static RestartHistory history(long backoffNs, long backoffMaxNs) {
    return new RestartHistory(new RestartSettings(100, backoffNs, backoffMaxNs, CALM));
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

  @Test
  void withoutABackOffThereIsNoDelay() {
    RestartHistory eager = history(0, 0);
    eager.running(0);
    eager.failed(S);

    assertThat(delayAfterFailure(eager, 2 * S)).isZero();
  }
}
