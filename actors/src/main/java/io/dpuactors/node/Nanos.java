package io.dpuactors.node;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Converts durations of the API to nanoseconds. */
public final class Nanos {
  /** About 73 years. The sum of this value and any clock reading does not overflow. */
  public static final long FOREVER = Long.MAX_VALUE / 4;

  /** Pekko's timers accept no delay that is much longer. */
  public static final long LONGEST_TIMER = TimeUnit.DAYS.toNanos(100);

  private static final Duration LONGEST = Duration.ofNanos(FOREVER);

  private Nanos() {}

  /** Returns the duration in nanoseconds, at most {@link #FOREVER}. */
  public static long of(Duration duration) {
    return duration.compareTo(LONGEST) >= 0 ? FOREVER : duration.toNanos();
  }
}
