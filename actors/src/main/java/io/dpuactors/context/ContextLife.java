package io.dpuactors.context;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.loop.ActorMoment;
import io.dpuactors.node.ContextLoad;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.ContextTimes;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.NodeActors;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.Stop;
import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The life of one incarnation of a context's actor. The context reports to its parent, and stops
 * its children before its native half.
 *
 * <pre>
 *   running --Stop--> stopping children --all Terminated--> retiring --gone--> stopped
 *      |
 *      '--failed--> failure, for the strategy; a context that has never run stops instead
 * </pre>
 *
 * <p>Engine's thread.
 *
 * @param <L> load of the context
 */
public final class ContextLife<L extends ContextLoad> {
  /** The parts of a context in Java: children, commands and waiting requests. */
  public interface Parts {
    /** Handles that the context runs. */
    default void running() {}

    /** Asks the children to stop, and refuses commands from now on. */
    void stop();

    /** Removes a child or another watched actor that has ended. */
    void forget(ActorRef<?> ended);

    /** Returns whether every child has ended. */
    boolean isEmpty();

    /** Handles the end of this incarnation. Children may survive it. */
    default void close() {}

    /** Handles the end of the actor. Idempotent. */
    default void ended() {}
  }

  private final ActorContext<Object> context;
  private final EngineCore core;
  private final RestartHistory history;
  private final ActorRef<ContextEvent> parent;
  private final Parts parts;
  private final ContextNode<L> node;
  private final StopRequests stops = new StopRequests();
  private boolean hasFailed;

  /**
   * Opens the native half, after the back-off of the history.
   *
   * @param parent receives an event when the context runs or fails to start
   */
  public ContextLife(
      ActorContext<Object> context,
      EngineCore core,
      RestartHistory history,
      ActorRef<ContextEvent> parent,
      Parts parts,
      L load,
      ContextTimes times,
      ContextOpener opener) {
    this.context = context;
    this.core = core;
    this.history = history;
    this.parent = parent;
    this.parts = parts;
    this.node =
        core.openContext(
            context.getSelf().path().name(),
            load,
            times,
            opener,
            NodeEvent.owner(context.getSelf(), this),
            history.delayNs());
  }

  /**
   * Returns the behavior of a context under its strategy. No incarnation follows a Stop, or the
   * last restart.
   *
   * @param core of the parent engine
   * @param fresh creates the behavior of an incarnation
   */
  public static Behavior<Object> supervised(
      EngineCore core,
      RestartHistory history,
      SupervisorStrategy strategy,
      Function<ActorContext<Object>, Behavior<Object>> fresh) {
    Behavior<Object> next =
        Behaviors.setup(
            context ->
                history.isOver() ? Behaviors.stopped() : start(core, history, context, fresh));
    return Behaviors.supervise(next).onFailure(Exception.class, strategy);
  }

  private static Behavior<Object> start(
      EngineCore core,
      RestartHistory history,
      ActorContext<Object> context,
      Function<ActorContext<Object>, Behavior<Object>> fresh) {
    try {
      return NodeActors.start(core, context.getSelf(), () -> fresh.apply(context));
    } catch (RuntimeException e) {
      history.failed(core.nowNs());
      throw e;
    }
  }

  /** Returns the native half. */
  public ContextNode<L> node() {
    return node;
  }

  /** Returns whether the context was asked to stop. */
  public boolean isStopping() {
    return history.isStopping();
  }

  /** Adds the handlers of the life to those of the commands. */
  public Behavior<Object> with(BehaviorBuilder<Object> commands) {
    return commands
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(Stop.class, this::onStop)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PreRestart.class, signal -> onPreRestart())
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event.incarnation() != this) {
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Gone) {
      return Behaviors.stopped();
    }
    if (history.isStopping()) {
      // The node ends without help, and no incarnation follows.
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Failed failed) {
      return onFailed(failed.error());
    }
    history.running(core.nowNs());
    parts.running();
    parent.tell(new ContextEvent.Running(context.getSelf(), Optional.of(node.device())));
    return Behaviors.same();
  }

  private Behavior<Object> onFailed(DocaError error) {
    hasFailed = true;
    history.failed(core.nowNs());
    if (history.hasRun()) {
      throw new ContextFailure(error);
    }
    // The context has never run. The sender of the Open command decides, so the supervisor must not
    // restart it.
    parent.tell(new ContextEvent.StartFailed(context.getSelf(), error));
    return Behaviors.stopped();
  }

  Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    if (!history.isStopping()) {
      history.stopping();
      parts.stop();
      stopIfEmpty();
    }
    return Behaviors.same();
  }

  Behavior<Object> onTerminated(Terminated signal) {
    parts.forget(signal.getRef());
    if (history.isStopping()) {
      stopIfEmpty();
    }
    return Behaviors.same();
  }

  private void stopIfEmpty() {
    if (parts.isEmpty()) {
      node.stop();
    }
  }

  Behavior<Object> onPreRestart() {
    Steps.all(this::stepFailed, () -> node.pass(ActorMoment.RESTART));
    return onEnd();
  }

  Behavior<Object> onPostStop() {
    Steps.all(this::stepFailed, () -> node.pass(ActorMoment.STOP), parts::ended);
    return onEnd();
  }

  private Behavior<Object> onEnd() {
    Steps.all(
        this::stepFailed, this::recordFailure, node::close, parts::close, () -> stops.answer(node));
    return Behaviors.same();
  }

  private void recordFailure() {
    if (!hasFailed) {
      history.failed(core.nowNs()); // the actor has thrown, unless it ends
    }
    if (history.isOver()) {
      parts.ended();
    }
  }

  private void stepFailed(RuntimeException cause) {
    node.log(context::getLog).error("{} throws at its end: {}", node, cause, cause);
  }
}
