package io.dpuactors.fleet;

import io.dpuactors.fleet.FleetMessage.GatewayRequest;
import io.dpuactors.fleet.FleetMessage.GetNodeStatus;
import io.dpuactors.fleet.FleetMessage.NodeStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.cluster.ClusterEvent.CurrentClusterState;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.SelfUp;
import org.apache.pekko.cluster.typed.Subscribe;

/**
 * The guardian of a program that reads the state of the nodes and drains nodes. The guardian joins
 * the fleet of {@code dpu.fleet.seeds} as a client. Stop it with CoordinatedShutdown, so that it
 * leaves the cluster.
 */
public final class FleetMonitor {
  /** A message to the monitor. */
  public sealed interface Command {}

  /**
   * Lets a node finish the blocks that it has taken, then leave the fleet and end. Each command has
   * one answer: {@link Drained}, {@link Failed} if no such node is reachable, or {@link NotDrained}
   * if the node is lost or too slow. The answer arrives at the latest 30 s after {@code
   * dpu.fleet.node.drain-deadline}.
   */
  public record DrainNode(HostPort node) implements Command {}

  private enum Timer implements Command {
    JOIN_DEADLINE,
    ROUND,
    ROUND_LIMIT
  }

  private enum Up implements Command {
    INSTANCE
  }

  private record Listed(Set<ActorRef<GatewayRequest>> gateways) implements Command {}

  private record Answered(NodeStatus status) implements Command {}

  private record DrainEnded(Event event) implements Command {}

  /** An event of the monitor for its program. */
  public sealed interface Event {}

  /** State of all nodes, in the order of their addresses. Repeated after each interval. */
  public record Nodes(List<NodeView> nodes) implements Event {
    /** Copies the list. */
    public Nodes {
      nodes = List.copyOf(nodes);
    }

    /** Returns whether an address is that of a node. */
    public boolean contains(HostPort address) {
      return nodes.stream().anyMatch(one -> one.node().equals(address.toString()));
    }
  }

  /** The node has finished its blocks and leaves the fleet. */
  public record Drained(String node) implements Event {}

  /**
   * The node has not drained.
   *
   * @param message for users
   */
  public record NotDrained(String message) implements Event {}

  /**
   * The monitor has found no fleet, or no such node.
   *
   * @param message for users
   */
  public record Failed(String message) implements Event {}

  /**
   * One node.
   *
   * @param node address, {@code HOST:PORT}
   * @param state state of the member in the cluster, such as {@code up} or {@code leaving}; or
   *     {@code unreachable} or {@code draining}
   * @param status answer of the node; empty if it did not answer within 3 s
   */
  public record NodeView(String node, String state, Optional<NodeStatus> status) {}

  private static final Duration ROUND_LIMIT = Duration.ofSeconds(3);

  /** Time after the drain deadline of a node in which the fleet notices the loss of the node. */
  private static final Duration LOSS_LIMIT = Duration.ofSeconds(30);

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final Duration interval;
  private final Consumer<Event> listener;
  private final FleetSettings settings;
  private final Cluster cluster;
  private final ActorRef<NodeStatus> statuses;
  private final Map<String, NodeStatus> answers = new HashMap<>();
  private Set<ActorRef<GatewayRequest>> gateways = Set.of();

  private FleetMonitor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      Duration interval,
      Consumer<Event> listener) {
    this.context = context;
    this.timers = timers;
    this.interval = interval;
    this.listener = listener;
    settings = FleetSettings.of(context.getSystem());
    cluster = Cluster.get(context.getSystem());
    statuses = context.messageAdapter(NodeStatus.class, Answered::new);
    timers.startSingleTimer(Timer.JOIN_DEADLINE, settings.joinDeadline());
    cluster
        .subscriptions()
        .tell(
            Subscribe.create(
                context.messageAdapter(SelfUp.class, up -> Up.INSTANCE), SelfUp.class));
    Fleet.join(context.getSystem(), settings.seeds());
  }

  /**
   * Creates the guardian.
   *
   * @param interval pause between two {@link Nodes}
   * @param listener receives all events, on the guardian's thread
   */
  public static Behavior<Command> create(Duration interval, Consumer<Event> listener) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new FleetMonitor(context, timers, interval, listener).behavior()));
  }

  private Behavior<Command> behavior() {
    return Behaviors.receive(Command.class)
        .onMessage(Up.class, m -> onUp())
        .onMessage(Timer.class, this::onTimer)
        .onMessage(Listed.class, this::onListed)
        .onMessage(Answered.class, this::onAnswered)
        .onMessage(DrainNode.class, this::onDrainNode)
        .onMessage(DrainEnded.class, m -> report(m.event()))
        .build();
  }

  private Behavior<Command> onUp() {
    timers.cancel(Timer.JOIN_DEADLINE);
    context
        .getSystem()
        .receptionist()
        .tell(
            Receptionist.subscribe(
                Fleet.NODES,
                context.messageAdapter(
                    Receptionist.Listing.class,
                    listing -> new Listed(listing.getServiceInstances(Fleet.NODES)))));
    return beginRound();
  }

  private Behavior<Command> onTimer(Timer timer) {
    return switch (timer) {
      case JOIN_DEADLINE ->
          report(
              new Failed(
                  "no node of the fleet at %s answers, after %d s (start nodes: %s fleet up)%s"
                      .formatted(
                          settings.seeds(),
                          settings.joinDeadline().toSeconds(),
                          Fleet.program(),
                          Refusals.of(context.getSystem()).failures())));
      case ROUND -> beginRound();
      case ROUND_LIMIT -> endRound();
    };
  }

  private Behavior<Command> beginRound() {
    answers.clear();
    timers.startSingleTimer(Timer.ROUND_LIMIT, ROUND_LIMIT);
    gateways.forEach(this::ask);
    return Behaviors.same();
  }

  private void ask(ActorRef<GatewayRequest> gateway) {
    gateway.tell(new GetNodeStatus(statuses));
  }

  private Behavior<Command> onListed(Listed listed) {
    Set<ActorRef<GatewayRequest>> known = gateways;
    gateways = Set.copyOf(listed.gateways());
    gateways.stream().filter(one -> !known.contains(one)).forEach(this::ask);
    return Behaviors.same();
  }

  private Behavior<Command> onAnswered(Answered answer) {
    answers.put(answer.status().node(), answer.status());
    return timers.isTimerActive(Timer.ROUND_LIMIT)
            && views().stream().noneMatch(FleetMonitor::isAwaited)
        ? endRound()
        : Behaviors.same();
  }

  private static boolean isAwaited(NodeView node) {
    return node.status().isEmpty() && node.state().equals("up");
  }

  private Behavior<Command> endRound() {
    timers.cancel(Timer.ROUND_LIMIT);
    timers.startSingleTimer(Timer.ROUND, interval);
    return report(new Nodes(views()));
  }

  private List<NodeView> views() {
    CurrentClusterState state = cluster.state();
    return StreamSupport.stream(state.getMembers().spliterator(), false)
        .filter(member -> member.hasRole(Fleet.NODE))
        .map(member -> view(member, state.getUnreachable().contains(member)))
        .toList();
  }

  private NodeView view(Member member, boolean unreachable) {
    String node = Fleet.name(member.address());
    Optional<NodeStatus> status = Optional.ofNullable(answers.get(node));
    String text = member.status().toString().toLowerCase(Locale.ROOT);
    if (unreachable) {
      text = "unreachable";
    } else if (member.status() == MemberStatus.up()
        && status.stream().anyMatch(NodeStatus::draining)) {
      text = "draining";
    }
    return new NodeView(node, text, status);
  }

  private Behavior<Command> onDrainNode(DrainNode command) {
    String node = command.node().toString();
    Optional<ActorRef<GatewayRequest>> gateway =
        gateways.stream()
            .filter(one -> Fleet.nodeOf(one, context.getSystem()).equals(node))
            .findFirst();
    if (gateway.isEmpty()) {
      return report(
          new Failed(
              "no node %s is reachable; the nodes are %s"
                  .formatted(node, views().stream().map(NodeView::node).toList())));
    }
    context.spawnAnonymous(
        NodeDrain.create(
            node,
            gateway.get(),
            settings.drainDeadline().plus(LOSS_LIMIT),
            context.messageAdapter(Event.class, DrainEnded::new)));
    return Behaviors.same();
  }

  private Behavior<Command> report(Event event) {
    listener.accept(event);
    return Behaviors.same();
  }
}
