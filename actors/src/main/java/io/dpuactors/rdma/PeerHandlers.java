package io.dpuactors.rdma;

import io.dpuactors.context.ConnectionLife;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.MailboxMarker;
import io.dpuactors.node.RdmaConnectionNode;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Grant;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveMessage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The common part of all connection actors: passes tasks to the native half of the connection, and
 * creates the behavior.
 */
final class PeerHandlers {
  private final ActorContext<Object> context;
  private final EngineCore core;
  private final RdmaSettings settings;
  private final RdmaConnectionNode node;
  private final ConnectionLife life;

  PeerHandlers(
      ActorContext<Object> context, RdmaHost host, RdmaConnectionNode node, ConnectionLife life) {
    this.context = context;
    this.core = host.core();
    this.settings = host.settings();
    this.node = node;
    this.life = life;
    core.pools().takers().join(context.getSelf());
  }

  /** Spawns the behavior of a connected connection as a child and subscribes it. */
  void serve(PeerBehavior served) {
    ActorRef<Event> child =
        life.serve(
            ServedPeer.of(served, settings.credit(), context.getSelf().narrow()),
            DispatcherSelector.sameAsParent());
    node.load().subscribe(new Subscribe(child, settings.credit()));
  }

  /** Returns the handlers of the requests. Every request is answered. */
  BehaviorBuilder<Object> requests() {
    return Behaviors.receive(Object.class)
        .onMessage(PeerRequest.class, this::onRequest)
        .onMessage(Batch.class, this::onRequest)
        .onMessage(MailboxMarker.class, this::onMarker)
        .onMessage(ReceiveMessage.class, this::onReceive)
        .onMessage(Subscribe.class, this::onSubscribe)
        .onMessage(Grant.class, this::onGrant);
  }

  private Behavior<Object> onRequest(DeviceRequest request) {
    core.pools().takers().expect(request);
    node.load().accept(request);
    return Behaviors.same();
  }

  private Behavior<Object> onMarker(MailboxMarker marker) {
    marker.pass();
    return Behaviors.same();
  }

  private Behavior<Object> onReceive(ReceiveMessage request) {
    node.load().receive(request);
    return Behaviors.same();
  }

  private Behavior<Object> onSubscribe(Subscribe request) {
    node.load().subscribe(request);
    return Behaviors.same();
  }

  private Behavior<Object> onGrant(Grant grant) {
    node.load().grant(grant.messages());
    return Behaviors.same();
  }

  /** Handles the end of the actor. */
  void ended() {
    core.pools().takers().leave(context.getSelf());
  }
}
