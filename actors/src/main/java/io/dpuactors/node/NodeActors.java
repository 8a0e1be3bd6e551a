package io.dpuactors.node;

import io.dpuactors.loop.ActorMoment;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** Starts the actors that own nodes. Engine's thread. */
public final class NodeActors {
  private NodeActors() {}

  /**
   * Returns the behavior of an actor with timers, which {@link #start} starts.
   *
   * @param notStarted runs if the start throws, such as the close of a node that is older than its
   *     actor
   */
  public static Behavior<Object> create(
      EngineCore core,
      Runnable notStarted,
      BiFunction<ActorContext<Object>, TimerScheduler<Object>, Behavior<Object>> start) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  try {
                    return start(core, context.getSelf(), () -> start.apply(context, timers));
                  } catch (RuntimeException | Error e) {
                    notStarted.run();
                    throw e;
                  }
                }));
  }

  /**
   * Starts an actor. If the start throws, closes the nodes that the actor has opened: Pekko sends
   * no signal to an actor that has not started.
   *
   * @param start creates the behavior of the actor
   */
  public static <T> T start(EngineCore core, ActorRef<Object> actor, Supplier<T> start) {
    BufferTakers takers = core.pools().takers();
    boolean isRestart = takers.contains(actor);
    long first = core.nodes().unusedId();
    try {
      T started = start.get();
      core.moments().pass(ActorMoment.START);
      return started;
    } catch (RuntimeException | Error e) {
      if (!isRestart) { // else requests with buffers may wait for the next incarnation
        takers.leave(actor);
      }
      core.nodes().closeFrom(first);
      throw e;
    }
  }
}
