package io.dpuactors.node;

import java.time.Duration;

/** Durations that people give, for clocks that count nanoseconds. */
public final class Nanos {
  /** Some 73 years: far away, and yet it can be added to any reading of a clock. */
  public static final long FOREVER = Long.MAX_VALUE / 4;

  private static final Duration LONGEST = Duration.ofNanos(FOREVER);

  private Nanos() {}

  /** The duration, or for ever. */
  public static long of(Duration duration) {
    return duration.compareTo(LONGEST) >= 0 ? FOREVER : duration.toNanos();
  }
}
