package io.dpuactors.rdma;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.context.ConnectionLife;
import io.dpuactors.node.NodeActors;
import io.dpuactors.node.RdmaConnectionNode;
import io.dpuactors.protocol.RdmaConnectionProtocol.Command;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connect;
import io.dpuactors.protocol.RdmaConnectionProtocol.ConnectFailed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connected;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** One connection of an RDMA context as an actor, child of the context or of its listener. */
final class RdmaConnection implements ConnectionLife.Parts {
  private final ActorContext<Object> context;
  private final RdmaConnectionNode node;
  private final ConnectionLife life;
  private final PeerHandlers handlers;
  private final Optional<PeerBehavior> served;

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
    this.life =
        new ConnectionLife(
            context, timers, host.settings().behaviorDeadline(), null, this, node::own);
    this.handlers = new PeerHandlers(context, host, node, life);
  }

  static Behavior<Command> create(
      RdmaHost host, RdmaConnectionNode node, Optional<PeerBehavior> served) {
    return NodeActors.create(
            host.core(),
            node::close,
            (context, timers) -> new RdmaConnection(context, timers, host, node, served).behavior())
        .narrow();
  }

  private Behavior<Object> behavior() {
    return life.with(handlers.requests().onMessage(Connect.class, this::onConnect));
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

  @Override
  public void running() {
    served.ifPresent(handlers::serve);
  }

  @Override
  public void failed(DocaError error) {
    node.log(context::getLog).info("{} ends: {}", node.label(), error);
  }

  @Override
  public void ended() {
    handlers.ended();
  }
}
