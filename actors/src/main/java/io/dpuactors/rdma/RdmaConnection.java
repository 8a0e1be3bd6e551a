package io.dpuactors.rdma;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.RdmaConnectionNode;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.RdmaConnectionProtocol.Command;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connect;
import io.dpuactors.protocol.RdmaConnectionProtocol.ConnectFailed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connected;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.protocol.Stop;
import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * One connection of an RDMA context as an actor, child of the context.
 *
 * <pre>
 *   open --Stop, behavior ended, peer gone--> closing --native half gone, behavior ended--> stopped
 * </pre>
 */
final class RdmaConnection {
  private final ActorContext<Object> context;
  private final RdmaConnectionNode node;
  private final PeerHandlers handlers;
  private final Optional<PeerBehavior> served;
  private final StopRequests stops = new StopRequests();
  private boolean isGone;

  private RdmaConnection(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      RdmaHost host,
      RdmaConnectionNode node,
      Optional<PeerBehavior> served) {
    context.setLoggerName(RdmaConnection.class);
    this.context = context;
    this.node = node;
    this.served = served;
    this.handlers = new PeerHandlers(context, timers, host, node);
    node.own(NodeEvent.owner(context.getSelf(), this));
  }

  static Behavior<Command> create(
      RdmaHost host, RdmaConnectionNode node, Optional<PeerBehavior> served) {
    return Behaviors.<Object>setup(
            context ->
                Behaviors.withTimers(
                    timers -> new RdmaConnection(context, timers, host, node, served).open()))
        .narrow();
  }

  private Behavior<Object> open() {
    return handlers
        .requests()
        .onMessage(Connect.class, this::onConnect)
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(Stop.class, this::onStop)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<Object> closing() {
    return handlers
        .requests()
        .onMessage(Connect.class, this::onConnect)
        .onMessage(NodeEvent.class, this::onNodeEventWhileClosing)
        .onMessage(Stop.class, this::onFurtherStop)
        .onSignal(Terminated.class, this::onTerminatedWhileClosing)
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  /** Answers with a failure unless the connection waits for its peer. */
  private Behavior<Object> onConnect(Connect request) {
    try {
      node.connect(request.details());
      request.replyTo().tell(new Connected());
    } catch (DocaException e) {
      request.replyTo().tell(new ConnectFailed(e.error()));
    }
    return Behaviors.same();
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event instanceof NodeEvent.Running) {
      served.ifPresent(handlers::serve);
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Failed failed) {
      node.log(context::getLog).info("{} ends: {}", node.label(), failed.error());
    }
    isGone |= event instanceof NodeEvent.Gone;
    return close();
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    return close();
  }

  private Behavior<Object> onFurtherStop(Stop stop) {
    stops.add(stop);
    return Behaviors.same();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    handlers.behaviorEnded();
    if (signal instanceof ChildFailed failed) {
      node.log(context::getLog)
          .warn("the behavior failed; its connection closes: {}", failed.cause().toString());
    }
    return close();
  }

  private Behavior<Object> close() {
    node.stop();
    handlers.awaitBehavior();
    return hasEnded() ? Behaviors.stopped() : closing();
  }

  private Behavior<Object> onNodeEventWhileClosing(NodeEvent event) {
    isGone |= event instanceof NodeEvent.Gone;
    return hasEnded() ? Behaviors.stopped() : Behaviors.same();
  }

  private Behavior<Object> onTerminatedWhileClosing(Terminated signal) {
    handlers.behaviorEnded();
    return hasEnded() ? Behaviors.stopped() : Behaviors.same();
  }

  private boolean hasEnded() {
    return isGone && !handlers.isServed();
  }

  private Behavior<Object> onEnd() {
    handlers.close();
    stops.answer(node);
    return Behaviors.same();
  }
}
