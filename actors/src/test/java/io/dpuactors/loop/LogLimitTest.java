package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests that a limited log line appears once per interval, at every value of the clock. */
class LogLimitTest {
  private static final long INTERVAL = 10;

  private final LogLimit limit = new LogLimit(INTERVAL);

  @Test
  void oneLinePassesPerIntervalAndTheOthersAreCounted() {
    assertThat(limit.passes(0)).as("the first line").isTrue();
    assertThat(limit.passes(0)).isFalse();
    assertThat(limit.passes(INTERVAL - 1)).isFalse();
    assertThat(limit.passes(INTERVAL)).isTrue();
    assertThat(limit.passes(INTERVAL + 1)).isFalse();
    assertThat(limit.takeSuppressed()).isEqualTo(3);
    assertThat(limit.takeSuppressed()).isZero();
  }

  /** System.nanoTime() may be negative, and may overflow. */
  @Test
  void theClockMayOverflow() {
    assertThat(limit.passes(Long.MAX_VALUE - 1)).isTrue();
    assertThat(limit.passes(Long.MAX_VALUE)).isFalse();
    assertThat(limit.passes(Long.MIN_VALUE + INTERVAL - 3)).isFalse();
    assertThat(limit.passes(Long.MIN_VALUE + INTERVAL - 2)).isTrue();
  }
}
