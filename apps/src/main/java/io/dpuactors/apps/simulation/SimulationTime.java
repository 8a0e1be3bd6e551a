package io.dpuactors.apps.simulation;

import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The limit of real time of a command. The limit begins with the creation of this object. */
final class SimulationTime {
  private static final long SECOND_NS = Duration.ofSeconds(1).toNanos();

  private final long beganNs = System.nanoTime();
  private final @Nullable Integer seconds;

  /**
   * Creates a limit.
   *
   * @param seconds null: no limit
   */
  SimulationTime(@Nullable Integer seconds) {
    this.seconds = seconds;
  }

  boolean isOver() {
    return seconds != null && System.nanoTime() - beganNs >= seconds * SECOND_NS;
  }

  /** Returns the seconds until the limit, at least 1; empty without a limit. */
  OptionalLong secondsLeft() {
    return seconds == null
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(1, seconds - (System.nanoTime() - beganNs) / SECOND_NS));
  }
}
