package io.dpuactors.node;

import io.dpuactors.loop.ActorMoment;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;

/** Starts the actors that own nodes. Engine's thread. */
public final class NodeActors {
  private NodeActors() {}

  /**
   * Starts an actor. If the start throws, closes the nodes that the actor has opened: Pekko sends
   * no signal to an actor that has not started.
   *
   * @param start creates the behavior of the actor
   */
  public static <T> T start(EngineCore core, ActorRef<Object> actor, Supplier<T> start) {
    long first = core.nodes().unusedId();
    try {
      T started = start.get();
      core.moments().pass(ActorMoment.START);
      return started;
    } catch (RuntimeException | Error e) {
      core.pools().takers().leave(actor);
      core.nodes().closeFrom(first);
      throw e;
    }
  }
}
