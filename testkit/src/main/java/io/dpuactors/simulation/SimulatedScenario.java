package io.dpuactors.simulation;

import org.apache.pekko.actor.typed.ActorSystem;

/**
 * A scenario of another module, for {@link Simulator} and {@code dpu simulate}. {@link
 * java.util.ServiceLoader} finds it.
 */
public interface SimulatedScenario {
  /** Returns the name for the command line. */
  String name();

  /**
   * Starts what all runs share, such as extensions of Pekko. The first run is then like the others.
   */
  default void prepare(ActorSystem<?> system) {}

  /** Does one run, as {@link Simulation#run}. Throws an error or an exception if it fails. */
  void run(SimulatedSystem system);
}
