package io.dpuactors.simulation;

import com.typesafe.config.Config;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * The actor system of a {@link Simulator}, and the parent of each run's actor. A run may stop the
 * system; the next run then starts another one. World's thread.
 */
final class WorldSystem {
  private final Config config;
  private Guardian guardian = new Guardian();
  private ActorSystem<Guardian.Command> system;

  /** Starts an actor system in the world of the calling thread, which must run. */
  WorldSystem(Config config) {
    this.config = config;
    this.system = start();
  }

  private ActorSystem<Guardian.Command> start() {
    return WorldBlocking.run(
        World.current(), () -> ActorSystem.create(guardian.behavior(), "simulation", config));
  }

  /** Starts another actor system after the end of the last one. */
  void restart() {
    guardian = new Guardian();
    system = start();
  }

  ActorSystem<Guardian.Command> get() {
    return system;
  }

  /** Returns the parent of the run's actor. */
  Guardian guardian() {
    return guardian;
  }

  /** Returns whether a run has asked the actor system to stop. */
  boolean isStopping() {
    return CoordinatedShutdown.get(system).getShutdownReason().isPresent();
  }

  /** Returns whether all actors have ended. */
  boolean hasStopped() {
    return system.getWhenTerminated().toCompletableFuture().isDone();
  }
}
