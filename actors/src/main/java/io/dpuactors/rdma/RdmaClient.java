package io.dpuactors.rdma;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.context.ClientHistory;
import io.dpuactors.context.ContextEvent;
import io.dpuactors.context.ContextFailure;
import io.dpuactors.context.Strategies;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.RdmaConnectionNode;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.RdmaClientEvent;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol.Command;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connect;
import io.dpuactors.protocol.Stop;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a listening context as a supervised actor, child of its context.
 *
 * <pre>
 *   connecting --running--> open --Stop, behavior ended--> ending --gone--> stopped
 *        |                    |
 *        '----- failed -------'--> ending --behavior ended--> failure, for the strategy
 * </pre>
 */
final class RdmaClient {
  private final ActorContext<Object> context;
  private final RdmaClientOptions options;
  private final ClientHistory history;
  private final ActorRef<ContextEvent> parent;
  private final RdmaConnectionNode node;
  private final PeerHandlers handlers;
  private final StopRequests stops = new StopRequests();
  private @Nullable DocaError failure;
  private boolean isGone;

  private RdmaClient(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      RdmaHost host,
      RdmaClientOptions options,
      ClientHistory history,
      ActorRef<ContextEvent> parent) {
    context.setLoggerName(RdmaClient.class);
    this.context = context;
    this.options = options;
    this.history = history;
    this.parent = parent;
    history.begun();
    this.node = host.load().connect(options.host(), options.port());
    this.handlers = new PeerHandlers(context, timers, host, node);
    node.own(NodeEvent.owner(context.getSelf(), this));
  }

  /**
   * Returns the behavior of a client under its supervisor strategy.
   *
   * @param parent receives an event when the client is connected or fails to connect
   * @throws IllegalArgumentException if the strategy is {@code resume} or the port is none
   */
  static Behavior<Command> supervised(
      RdmaHost host, RdmaClientOptions options, ActorRef<ContextEvent> parent) {
    Strategies.check(options.supervision());
    RdmaSettings.checkPort(options.port());
    LaneSettings lane = host.settings().link().lane();
    ClientHistory history =
        new ClientHistory(Command.class, lane.queue(), message -> lane.deadlineNs());
    Behavior<Object> fresh =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        new RdmaClient(context, timers, host, options, history, parent).open()));
    return history.supervised(fresh, options.supervision()).narrow();
  }

  private Behavior<Object> open() {
    return handlers
        .requests()
        .onMessage(Connect.class, this::onConnect)
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(Stop.class, this::onStop)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  /** Behavior while the native half and the behavior end. Afterwards the client stops or fails. */
  private Behavior<Object> ending() {
    return handlers
        .requests()
        .onMessage(Connect.class, this::onConnect)
        .onMessage(NodeEvent.class, this::onNodeEventWhileEnding)
        .onMessage(Stop.class, this::onStopWhileEnding)
        .onSignal(Terminated.class, this::onTerminatedWhileEnding)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  private Behavior<Object> onConnect(Connect request) {
    request.refuse(
        DocaError.of(
            "connect",
            DocaCode.BAD_STATE.value(),
            "%s connects to an address".formatted(node.label())));
    return Behaviors.same();
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event.incarnation() != this) {
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Running) {
      options.behavior().ifPresent(handlers::serve);
      tell(new RdmaClientEvent.Connected(context.getSelf().narrow(), history.connected()));
      parent.tell(new ContextEvent.Running(context.getSelf()));
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Failed failed) {
      failure = failed.error();
      tell(new RdmaClientEvent.Lost(failed.error()));
    } else {
      isGone = true;
    }
    return end();
  }

  private void tell(RdmaClientEvent event) {
    options.listener().ifPresent(listener -> listener.tell(event));
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    return end();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    handlers.behaviorEnded();
    return end();
  }

  private Behavior<Object> end() {
    handlers.awaitBehavior();
    node.stop();
    Behavior<Object> next = step();
    return next == Behaviors.<Object>same() ? ending() : next;
  }

  private Behavior<Object> onNodeEventWhileEnding(NodeEvent event) {
    isGone |= event.incarnation() == this && event instanceof NodeEvent.Gone;
    return step();
  }

  /** Handles Stop: the client then does not restart. */
  private Behavior<Object> onStopWhileEnding(Stop stop) {
    stops.add(stop);
    failure = null;
    return step();
  }

  private Behavior<Object> onTerminatedWhileEnding(Terminated signal) {
    handlers.behaviorEnded();
    return step();
  }

  private Behavior<Object> step() {
    if (handlers.isServed() || !(isGone || failure != null)) {
      return Behaviors.same();
    }
    return failure == null ? Behaviors.stopped() : fail(failure);
  }

  /** Ends the client with an error. If the strategy never restarts it, the actor stops. */
  private Behavior<Object> fail(DocaError error) {
    if (options.restarts()) {
      history.failed(() -> StopRequests.outcome(node));
      throw new ContextFailure(error);
    }
    parent.tell(new ContextEvent.StartFailed(context.getSelf(), error));
    return isGone ? Behaviors.stopped() : Behaviors.same();
  }

  /** Reports the failure that ended the actor. Its strategy has no restart left. */
  private Behavior<Object> onPostStop() {
    if (failure != null) {
      parent.tell(new ContextEvent.StartFailed(context.getSelf(), failure));
    }
    return onEnd();
  }

  private Behavior<Object> onEnd() {
    handlers.close();
    stops.answer(node);
    return Behaviors.same();
  }
}
