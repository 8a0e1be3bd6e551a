package io.dpuactors.fleet;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.ClusterEvent.CurrentClusterState;
import org.apache.pekko.cluster.ClusterEvent.MemberDowned;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberRemoved;
import org.apache.pekko.cluster.ClusterEvent.ReachabilityEvent;
import org.apache.pekko.cluster.ClusterEvent.ReachableMember;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.ClusterStateSubscription;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.Subscribe;
import org.jspecify.annotations.Nullable;

/**
 * Watches the members of the fleet for a node: keeps the other nodes on disk, and removes lost
 * clients from the cluster.
 *
 * <p>A member that any member does not reach is unreachable for the whole cluster. A node that is
 * cut off therefore makes all clients unreachable when it returns. Two conditions protect them:
 *
 * <ul>
 *   <li>More than half of the nodes have seen the state in which the client is unreachable. A node
 *       that is cut off shares its view with no other node, so it removes no client.
 *   <li>The client stays unreachable after that for half of the resolver's {@code stable-after}. A
 *       node that returns reaches the clients again within this time.
 * </ul>
 */
final class MemberWatch {
  /**
   * A client is unreachable, since the last event about this client.
   *
   * @param isShared more than half of the nodes had seen this when the settle time began
   */
  private record Lost(Member client, boolean isShared) {}

  private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final @Nullable KnownMembers known;
  private final UniqueAddress self;
  private final Duration settleTime;

  private MemberWatch(
      ActorContext<Object> context, TimerScheduler<Object> timers, @Nullable KnownMembers known) {
    this.context = context;
    this.timers = timers;
    this.known = known;
    self = Cluster.get(context.getSystem()).selfMember().uniqueAddress();
    settleTime =
        context
            .getSystem()
            .settings()
            .config()
            .getDuration("pekko.cluster.split-brain-resolver.stable-after")
            .dividedBy(2);
    ActorRef<ClusterStateSubscription> events = Cluster.get(context.getSystem()).subscriptions();
    events.tell(Subscribe.create(context.getSelf().narrow(), MemberEvent.class));
    events.tell(Subscribe.create(context.getSelf().narrow(), ReachabilityEvent.class));
  }

  /**
   * Returns the behavior of the watch of a node that is a member.
   *
   * @param known receives the other nodes; null: they are not kept
   */
  static Behavior<Object> create(@Nullable KnownMembers known) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> new MemberWatch(context, timers, known).behavior()));
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(MemberEvent.class, this::onMembersChanged)
        .onMessage(UnreachableMember.class, event -> onUnreachable(event.member()))
        .onMessage(ReachableMember.class, event -> forget(event.member()))
        .onMessage(Lost.class, this::onLost)
        .build();
  }

  /**
   * Writes the other nodes to the disk while this node is up. This node reads them when it starts
   * again. At the end of a member, Pekko publishes the removal of all members, also of those that
   * stay.
   */
  private Behavior<Object> onMembersChanged(MemberEvent event) {
    List<Member> members = new ArrayList<>();
    Cluster.get(context.getSystem()).state().getMembers().forEach(members::add);
    if (known != null && members.stream().anyMatch(this::isSelfUp)) {
      try {
        known.write(otherNodes(members));
      } catch (IOException e) {
        context
            .getLog()
            .warn("cannot keep the members of the fleet in {}: {}", known, e.toString());
      }
    }
    return event instanceof MemberDowned || event instanceof MemberRemoved
        ? forget(event.member())
        : Behaviors.same();
  }

  private boolean isSelfUp(Member member) {
    return member.uniqueAddress().equals(self) && member.status().equals(MemberStatus.up());
  }

  private List<HostPort> otherNodes(List<Member> members) {
    return members.stream()
        .filter(member -> member.hasRole(Fleet.NODE) && !member.uniqueAddress().equals(self))
        .map(member -> HostPort.parse(Fleet.name(member.address())))
        .toList();
  }

  private Behavior<Object> forget(Member member) {
    timers.cancel(member.uniqueAddress());
    return Behaviors.same();
  }

  private Behavior<Object> onUnreachable(Member member) {
    return member.hasRole(Fleet.NODE)
        ? Behaviors.same()
        : check(new Lost(member, /* isShared= */ false), CHECK_INTERVAL);
  }

  private Behavior<Object> check(Lost lost, Duration delay) {
    timers.startSingleTimer(lost.client().uniqueAddress(), lost, delay);
    return Behaviors.same();
  }

  /**
   * Removes a lost client before the resolver decides. While a lost client is a member, other
   * clients cannot leave. If a node that has seen the loss is lost later, the resolver removes all
   * members ("SBR double decision"). If only one node does not reach the client, the resolver
   * removes the node too.
   */
  private Behavior<Object> onLost(Lost lost) {
    Member client = lost.client();
    Cluster cluster = Cluster.get(context.getSystem());
    if (!isSeenByMajority(cluster.state())) {
      return check(new Lost(client, /* isShared= */ false), CHECK_INTERVAL);
    }
    if (!lost.isShared()) {
      return check(new Lost(client, /* isShared= */ true), settleTime);
    }
    context
        .getLog()
        .info("client {} does not answer; the node removes it", Fleet.name(client.address()));
    cluster.manager().tell(new Down(client.address()));
    return Behaviors.same();
  }

  /** Returns whether more than half of the nodes that the resolver counts have seen a state. */
  private static boolean isSeenByMajority(CurrentClusterState state) {
    Set<Address> seenBy = state.getSeenBy();
    long nodes = 0;
    long seen = 0;
    for (Member member : state.getMembers()) {
      if (member.hasRole(Fleet.NODE) && isCounted(member.status())) {
        nodes++;
        seen += seenBy.contains(member.address()) ? 1 : 0;
      }
    }
    return seen > nodes / 2;
  }

  private static boolean isCounted(MemberStatus status) {
    return status.equals(MemberStatus.up()) || status.equals(MemberStatus.leaving());
  }
}
