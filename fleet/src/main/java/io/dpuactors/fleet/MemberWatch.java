package io.dpuactors.fleet;

import java.io.IOException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ClusterEvent.ClusterDomainEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.ClusterStateSubscription;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.Subscribe;
import org.jspecify.annotations.Nullable;

/**
 * Watches the members of the fleet for a node: keeps the other nodes on disk, and removes lost
 * clients from the cluster.
 */
final class MemberWatch {
  private final ActorContext<ClusterDomainEvent> context;
  private final @Nullable KnownMembers known;

  private MemberWatch(ActorContext<ClusterDomainEvent> context, @Nullable KnownMembers known) {
    this.context = context;
    this.known = known;
    ActorRef<ClusterStateSubscription> events = Cluster.get(context.getSystem()).subscriptions();
    events.tell(Subscribe.create(context.getSelf().narrow(), MemberEvent.class));
    events.tell(Subscribe.create(context.getSelf().narrow(), UnreachableMember.class));
  }

  /**
   * Returns the behavior of the watch of a node that is a member.
   *
   * @param known receives the other nodes; null: they are not kept
   */
  static Behavior<ClusterDomainEvent> create(@Nullable KnownMembers known) {
    return Behaviors.setup(context -> new MemberWatch(context, known).behavior());
  }

  private Behavior<ClusterDomainEvent> behavior() {
    return Behaviors.receive(ClusterDomainEvent.class)
        .onMessage(MemberEvent.class, event -> onMembersChanged())
        .onMessage(UnreachableMember.class, event -> onMemberLost(event.member()))
        .build();
  }

  /** Writes the other nodes to the disk, so that this node finds them when it starts again. */
  private Behavior<ClusterDomainEvent> onMembersChanged() {
    ActorSystem<?> system = context.getSystem();
    if (known != null) {
      try {
        known.write(Fleet.otherNodes(system));
      } catch (IOException e) {
        context
            .getLog()
            .warn("cannot keep the members of the fleet in {}: {}", known, e.toString());
      }
    }
    return Behaviors.same();
  }

  /**
   * Removes a lost client at once. The resolver decides on nodes only. While a lost client is a
   * member, other clients cannot leave. If a node that has seen the loss is lost later, the
   * resolver removes all members ("SBR double decision").
   */
  private Behavior<ClusterDomainEvent> onMemberLost(Member member) {
    if (!member.hasRole(Fleet.NODE)) {
      context
          .getLog()
          .info("client {} does not answer; the node removes it", Fleet.name(member.address()));
      Cluster.get(context.getSystem()).manager().tell(new Down(member.address()));
    }
    return Behaviors.same();
  }
}
