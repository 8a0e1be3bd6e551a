package io.dpuactors.loop;

import java.util.function.LongSupplier;
import org.apache.pekko.actor.Scheduler;

/**
 * A scheduler with its own clock, such as the virtual one of a simulation. Deadlines beside the
 * scheduler's timers use the same clock.
 */
public interface SchedulerClock {
  /** Returns the time since any origin, nanoseconds. */
  long nowNs();

  /** Returns the clock of a scheduler: {@link System#nanoTime} if it has no other. */
  static LongSupplier of(Scheduler scheduler) {
    return scheduler instanceof SchedulerClock clock ? clock::nowNs : System::nanoTime;
  }
}
