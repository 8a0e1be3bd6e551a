package io.dpuactors.context;

import org.apache.pekko.actor.typed.SupervisorStrategy;

/** Which supervisor strategies a context can have. */
public final class Strategies {
  private static final Class<?> RESUME = SupervisorStrategy.resume().getClass();

  private Strategies() {}

  /**
   * Refuses {@code resume}: the native context of an actor that has failed is gone, and only a new
   * incarnation of the actor opens another.
   *
   * @return the strategy
   * @throws IllegalArgumentException if the strategy is {@code resume}, however configured
   */
  public static SupervisorStrategy check(SupervisorStrategy strategy) {
    if (RESUME.isInstance(strategy)) {
      throw new IllegalArgumentException(
          "SupervisorStrategy.resume() cannot supervise a context: its native context is gone after"
              + " a failure; use restart(), restartWithBackoff() or stop()");
    }
    return strategy;
  }
}
