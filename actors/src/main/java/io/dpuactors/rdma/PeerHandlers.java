package io.dpuactors.rdma;

import io.dpuactors.node.EngineCore;
import io.dpuactors.node.MailboxMarker;
import io.dpuactors.node.RdmaConnectionNode;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Grant;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The common part of all connection actors: passes tasks to the native half of the connection, and
 * supervises the behavior.
 */
final class PeerHandlers {
  private enum Tick implements LocalMessage {
    BEHAVIOR_DEADLINE
  }

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final EngineCore core;
  private final RdmaSettings settings;
  private final RdmaConnectionNode node;
  private @Nullable ActorRef<Event> behavior;

  PeerHandlers(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      RdmaHost host,
      RdmaConnectionNode node) {
    this.context = context;
    this.timers = timers;
    this.core = host.core();
    this.settings = host.settings();
    this.node = node;
    core.pools().takers().join(context.getSelf());
  }

  /** Spawns the behavior of a connected connection as a child and subscribes it. */
  void serve(PeerBehavior served) {
    ActorRef<Event> child =
        context.spawn(
            ServedPeer.of(served, settings.credit(), context.getSelf().narrow()),
            "behavior",
            DispatcherSelector.sameAsParent());
    context.watch(child);
    behavior = child;
    node.load().subscribe(new Subscribe(child, settings.credit()));
  }

  /** Adds the handlers of a connection in any state. Every request is answered. */
  BehaviorBuilder<Object> requests() {
    return Behaviors.receive(Object.class)
        .onMessage(PeerRequest.class, this::onRequest)
        .onMessage(MailboxMarker.class, this::onMarker)
        .onMessage(Subscribe.class, this::onSubscribe)
        .onMessage(Grant.class, this::onGrant)
        .onMessageEquals(Tick.BEHAVIOR_DEADLINE, this::onBehaviorDeadline);
  }

  private Behavior<Object> onRequest(PeerRequest request) {
    core.pools().takers().expect(request);
    node.load().accept(request);
    return Behaviors.same();
  }

  private Behavior<Object> onMarker(MailboxMarker marker) {
    marker.pass();
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

  /** Returns whether the behavior has not sent {@code Terminated}. */
  boolean isServed() {
    return behavior != null;
  }

  /** Gives the behavior of an ended connection its deadline to end. */
  void awaitBehavior() {
    timers.startSingleTimer(Tick.BEHAVIOR_DEADLINE, settings.behaviorDeadline());
  }

  private Behavior<Object> onBehaviorDeadline() {
    if (behavior != null) {
      node.log(context::getLog).warn("the behavior did not end with its connection; stopping it");
      context.stop(behavior);
    }
    return Behaviors.same();
  }

  /** Notes that the behavior has ended. */
  void behaviorEnded() {
    behavior = null;
  }

  /** Ends the native half at once, because the actor ends. */
  void close() {
    core.pools().takers().leave(context.getSelf());
    node.close();
  }
}
