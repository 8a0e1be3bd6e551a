package io.dpuactors.context;

import org.apache.pekko.actor.typed.RestartSupervisorStrategy;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/** Checks supervisor strategies of contexts. */
public final class Strategies {
  private static final Class<?> RESUME = SupervisorStrategy.resume().getClass();

  private Strategies() {}

  /**
   * Refuses {@code resume}: a failed actor has lost its native context, and only a new incarnation
   * opens another.
   *
   * @return the strategy
   * @throws IllegalArgumentException if the strategy is any form of {@code resume}
   */
  public static SupervisorStrategy check(SupervisorStrategy strategy) {
    if (RESUME.isInstance(strategy)) {
      throw new IllegalArgumentException(
          "SupervisorStrategy.resume() cannot supervise a context: its native context is gone after"
              + " a failure; use restart(), restartWithBackoff() or stop()");
    }
    return strategy;
  }

  /** Returns a strategy without back-off, for an actor whose children survive its restarts. */
  public static SupervisorStrategy keepingChildren(SupervisorStrategy strategy) {
    return strategy instanceof RestartSupervisorStrategy restart
        ? restart.withStopChildren(false)
        : strategy;
  }
}
