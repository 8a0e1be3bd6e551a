package io.dpuactors.simulation;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;

/** A workload with faults, and a model of its results. */
interface Scenario {
  /** The message to the scenario's actor when nothing happens any more. */
  enum Finish {
    /** The actor checks its results and stops. */
    NOW
  }

  /** Returns the name for the command line. */
  String name();

  /** Returns the behavior of the scenario's actor. The behavior stops after {@link Finish}. */
  Behavior<Object> create(Run run);

  /** Returns the pace that the limits of the run suppose. */
  default Pace pace(Pace drawn) {
    return drawn;
  }

  /** Drives the run from outside of the actors, on the same thread. */
  default void drive(SimulatedSystem.Driver driver, Run run, ActorRef<Object> actor) {}

  /** Returns the dispatcher of the scenario's actor. */
  default Props props(ActorSystem<?> system, Run run) {
    return DispatcherSelector.defaultDispatcher();
  }
}
