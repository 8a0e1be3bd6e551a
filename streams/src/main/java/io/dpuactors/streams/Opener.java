package io.dpuactors.streams;

import io.dpuactors.protocol.ContextReply;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Receives the answer to the command that opens the connection of a stream. The stream may end
 * before the answer. If no connection opens, this actor completes the materialized value; otherwise
 * the relay of the connection does.
 */
final class Opener {
  private enum Tick {
    /** The parent of the connection has not answered. */
    LATE
  }

  private final Relay.Attach attach;
  private boolean isOpened;

  private Opener(Relay.Attach attach) {
    this.attach = attach;
  }

  /**
   * Sends the command.
   *
   * @param parent opens the connection
   * @param command makes the command; its answer is a {@link ContextReply}
   * @param <C> messages of the parent
   * @param <R> the answer
   */
  static <C, R> void open(
      Relay.Attach attach,
      ActorSystem<?> system,
      ActorRef<C> parent,
      Function<ActorRef<R>, C> command) {
    Behavior<Object> behavior =
        Behaviors.withTimers(
            timers -> {
              // The parent answers within the deadline. An actor that is no engine may not answer.
              timers.startSingleTimer(Tick.LATE, StreamLimits.openDeadline(system).multipliedBy(2));
              return new Opener(attach).behavior();
            });
    ActorRef<Object> answer =
        system.systemActorOf(behavior, "dpu-" + Binding.name("open"), Props.empty());
    attach.end().awaitClose();
    parent.tell(command.apply(answer.narrow()));
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessageEquals(Tick.LATE, Behaviors::stopped)
        .onAnyMessage(this::onReply)
        .onSignal(PostStop.class, signal -> onStopped())
        .build();
  }

  private Behavior<Object> onReply(Object reply) {
    isOpened = reply instanceof ContextReply.Opened<?>;
    if (!isOpened) {
      attach.stream().tell(reply);
    }
    return Behaviors.stopped();
  }

  private Behavior<Object> onStopped() {
    if (!isOpened) {
      attach.end().closed();
    }
    return Behaviors.same();
  }
}
