package io.dpuactors.context;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.loop.ActorMoment;
import io.dpuactors.node.ContextOwner;
import io.dpuactors.node.LoadedNode;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.OpenRequest;
import io.dpuactors.protocol.Stop;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The life of a connection's actor: of a client, or of a connection that was accepted.
 *
 * <pre>
 *   open --Stop, behavior ended--> stopping its data --all Terminated--> closing --gone, behavior ended--> stopped
 *     |
 *     '--failed--> its data ends --all Terminated, behavior ended--> a client: failure, for the strategy
 *                                                                    else:     closing
 * </pre>
 *
 * <p>Engine's thread.
 */
public final class ConnectionLife {
  private enum Tick implements LocalMessage {
    BEHAVIOR_DEADLINE
  }

  /** The steps in which connections of different libraries differ. */
  public interface Parts {
    /** Handles that the connection is established. */
    void running();

    /** Handles a failure, which ends the connection. */
    void failed(DocaError error);

    /** Handles a stop of the connection by this side. */
    default void stopping(String why) {}

    /** Handles the end of the actor. A client that waits for its next incarnation has not ended. */
    default void ended() {}
  }

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final Duration behaviorDeadline;
  private final @Nullable ClientHistory history;
  private final Parts parts;
  private final OpenContexts data;
  private final LoadedNode<?> node;
  private final StopRequests stops = new StopRequests();
  private @Nullable ActorRef<?> behavior;
  private @Nullable DocaError failure;
  private boolean isEnding;
  private boolean isClosing;
  private boolean isGone;

  /**
   * Begins a life.
   *
   * @param behaviorDeadline how long the behavior may take to end after the connection
   * @param history of a client; null for a connection that ends with a failure
   * @param own returns the native half, which belongs to the owner from now on
   */
  public ConnectionLife(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      Duration behaviorDeadline,
      @Nullable ClientHistory history,
      Parts parts,
      Function<ContextOwner, LoadedNode<?>> own) {
    this.context = context;
    this.timers = timers;
    this.behaviorDeadline = behaviorDeadline;
    this.history = history;
    this.parts = parts;
    this.data = new OpenContexts(context, "connection", Duration.ZERO);
    this.node = own.apply(NodeEvent.owner(context.getSelf(), this));
  }

  /** Adds the handlers of the life to those of the requests. */
  public Behavior<Object> with(BehaviorBuilder<Object> requests) {
    return data.events(requests)
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(Stop.class, this::onStop)
        .onMessageEquals(Tick.BEHAVIOR_DEADLINE, this::onBehaviorDeadline)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PreRestart.class, signal -> onPreRestart())
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  /** Spawns the behavior of the connection as a child. */
  public <E> ActorRef<E> serve(Behavior<E> served, Props props) {
    ActorRef<E> child = context.spawn(served, "behavior", props);
    context.watch(child);
    behavior = child;
    return child;
  }

  /** Opens a producer or a consumer as a child. */
  public <C> Behavior<Object> open(OpenRequest<C> command, Supplier<Behavior<C>> behaviorOfData) {
    return data.open(command, behaviorOfData);
  }

  /** Returns the native half. */
  public LoadedNode<?> node() {
    return node;
  }

  /** Returns whether the connection has begun to end. */
  public boolean isEnding() {
    return isEnding;
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event.incarnation() != this) {
      return Behaviors.same();
    }
    isGone |= event instanceof NodeEvent.Gone;
    if (isGone || isEnding) {
      return end();
    }
    if (event instanceof NodeEvent.Failed failed) {
      failure = history == null ? null : failed.error();
      parts.failed(failed.error());
      return end();
    }
    parts.running();
    return Behaviors.same();
  }

  /** A client that receives Stop does not restart. */
  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    failure = null;
    return stop("closed by this side");
  }

  /**
   * Stops the data and then the connection, unless it ends already.
   *
   * @param why for {@link Parts#stopping}
   */
  public Behavior<Object> stop(String why) {
    if (!isEnding) {
      parts.stopping(why);
      data.stopAll();
    }
    return end();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    if (!signal.getRef().equals(behavior)) {
      data.forget(signal.getRef());
      return isEnding ? end() : Behaviors.same();
    }
    behavior = null;
    if (!isEnding && signal instanceof ChildFailed failed) {
      node.log(context::getLog)
          .warn("the behavior failed; its connection closes: {}", failed.cause().toString());
      return stop("the behavior failed: " + failed.cause());
    }
    return stop("closed by this side");
  }

  /** Ends the connection after its data, and the actor after the behavior. */
  private Behavior<Object> end() {
    isEnding = true;
    data.refuseFurther();
    if (!data.isEmpty()) {
      return Behaviors.same();
    }
    node.stop();
    if (!isClosing) {
      isClosing = true;
      timers.startSingleTimer(Tick.BEHAVIOR_DEADLINE, behaviorDeadline);
    }
    if (behavior != null) {
      return Behaviors.same();
    }
    if (failure != null && history != null) {
      history.fail(context.getSelf(), failure);
    }
    return isGone ? Behaviors.stopped() : Behaviors.same();
  }

  private Behavior<Object> onBehaviorDeadline() {
    if (behavior != null) {
      node.log(context::getLog).warn("the behavior did not end with its connection; stopping it");
      context.stop(behavior);
    }
    return Behaviors.same();
  }

  /** Reports the failure that ended a client. The client's strategy has no restart left. */
  private Behavior<Object> onPostStop() {
    if (failure != null && history != null) {
      history.ended(context.getSelf(), failure);
    }
    Steps.all(this::stepFailed, () -> node.pass(ActorMoment.STOP), parts::ended);
    return onEnd();
  }

  private Behavior<Object> onPreRestart() {
    if (history != null) {
      history.awaitNext(() -> StopRequests.outcome(node));
    }
    Steps.all(this::stepFailed, () -> node.pass(ActorMoment.RESTART));
    return onEnd();
  }

  private Behavior<Object> onEnd() {
    Steps.all(this::stepFailed, data::failAll, node::close, () -> stops.answer(node));
    return Behaviors.same();
  }

  private void stepFailed(RuntimeException cause) {
    node.log(context::getLog).error("{} throws at its end: {}", node, cause, cause);
  }
}
