package io.dpuactors.fleet;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Attach;
import io.dpuactors.fleet.FleetMessage.AttachRefused;
import io.dpuactors.fleet.FleetMessage.Attached;
import io.dpuactors.fleet.FleetMessage.Drain;
import io.dpuactors.fleet.FleetMessage.Drained;
import io.dpuactors.fleet.FleetMessage.GatewayRequest;
import io.dpuactors.fleet.FleetMessage.GetNodeStatus;
import io.dpuactors.fleet.FleetMessage.NodeStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.actor.typed.receptionist.Receptionist;

/**
 * The actor of a node whose address members of other nodes have. The gateway has one child per job
 * and kind, the {@link JobSession}. The gateway stops after a {@link Drain}, when every child has
 * ended.
 */
final class Gateway {
  /** A message to the gateway, from other nodes or from itself. */
  interface Command {}

  private enum DrainDeadline implements Command {
    INSTANCE
  }

  /** A gateway forgets its refused jobs at this number, which bounds its memory. */
  static final int MAX_REFUSED_JOBS = 1000;

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final NodeWork work;
  private final FleetSettings settings;
  private final Refusals refusals;
  private final List<ActorRef<Drained>> drains = new ArrayList<>();
  private final Set<String> refusedJobs = new HashSet<>();
  private boolean draining;

  private Gateway(ActorContext<Command> context, TimerScheduler<Command> timers, NodeWork work) {
    this.context = context;
    this.timers = timers;
    this.work = work;
    this.settings = FleetSettings.of(context.getSystem());
    this.refusals = Refusals.of(context.getSystem());
    ActorRef<GatewayRequest> self = context.getSelf().narrow();
    context.getSystem().receptionist().tell(Receptionist.register(Fleet.NODES, self));
    for (TaskKind kind : work.kinds()) {
      context.getSystem().receptionist().tell(Receptionist.register(Fleet.gateways(kind), self));
    }
  }

  static Behavior<Command> create(NodeWork work) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new Gateway(context, timers, work).behavior()));
  }

  /**
   * Completes when the gateway of a node has drained. The deadline is the gateway's; the phase has
   * one more.
   */
  static CompletionStage<Done> drain(ActorSystem<?> system, ActorRef<Command> gateway) {
    return AskPattern.<Command, Drained>ask(
            gateway, Drain::new, FleetSettings.of(system).drainPhase(), system.scheduler())
        .handle((drained, ended) -> Done.getInstance()); // a gateway that has ended has drained
  }

  private Behavior<Command> behavior() {
    return Behaviors.receive(Command.class)
        .onMessage(Attach.class, this::onAttach)
        .onMessage(GetNodeStatus.class, this::onGetStatus)
        .onMessage(Drain.class, this::onDrain)
        .onMessage(DrainDeadline.class, m -> onDrainDeadline())
        .onSignal(Terminated.class, signal -> endIfDrained())
        .build();
  }

  /** Begins to ask for blocks of a job. A repeated request is answered again. */
  private Behavior<Command> onAttach(Attach request) {
    Optional<DocaError> refusal = refusal(request);
    if (refusal.isPresent()) {
      int code = refusal.get().raw();
      String why = refusal.get().about();
      onRefused(request, why);
      request
          .client()
          .tell(new AttachRefused(request.job(), request.kind(), work.node(), code, why));
      return Behaviors.same();
    }
    String name = name(request);
    if (context.getChild(name).isEmpty()) {
      context.watch(context.spawn(JobSession.create(work, request), name));
    }
    request.client().tell(new Attached(request.job(), request.kind(), work.node()));
    return Behaviors.same();
  }

  /** Clients repeat their requests several times per second: a job has one line and one count. */
  private void onRefused(Attach request, String why) {
    if (refusedJobs.contains(request.job())) {
      return;
    }
    if (refusedJobs.size() == MAX_REFUSED_JOBS) {
      refusedJobs.clear();
    }
    refusedJobs.add(request.job());
    if (request.protocol() == FleetMessage.PROTOCOL) {
      context.getLog().info("job {} refused: {}", request.job(), why);
    } else {
      refusals.count(Refusals.Reason.PROTOCOL, request.client().path().address() + ": " + why);
    }
  }

  private Optional<DocaError> refusal(Attach request) {
    if (request.protocol() != FleetMessage.PROTOCOL) {
      return refusal(
          DocaCode.UNSUPPORTED_VERSION,
          "the client has version %d of the protocol, this node has version %d"
              .formatted(request.protocol(), FleetMessage.PROTOCOL));
    }
    if (draining) {
      return refusal(DocaCode.SHUTDOWN, "the node is draining");
    }
    if (!work.kinds().contains(request.kind())) {
      return refusal(DocaCode.NOT_SUPPORTED, "the node cannot " + request.kind().purpose());
    }
    Set<String> jobs = jobs();
    return jobs.size() >= settings.maxJobs() && !jobs.contains(request.job())
        ? refusal(DocaCode.FULL, "the node serves %d jobs already".formatted(settings.maxJobs()))
        : Optional.empty();
  }

  private static Optional<DocaError> refusal(DocaCode code, String why) {
    return Optional.of(FleetEngine.error(code, why));
  }

  /** Returns the jobs that have a session. A job has one for each of its kinds of tasks. */
  private Set<String> jobs() {
    return context.getChildren().stream()
        .map(session -> session.path().name())
        .map(name -> name.substring(name.lastIndexOf('-') + 1))
        .collect(Collectors.toSet());
  }

  private static String name(Attach request) {
    return request.kind().shortName() + "-" + request.job();
  }

  private Behavior<Command> onGetStatus(GetNodeStatus request) {
    NodeWork.Count count = work.count();
    request
        .replyTo()
        .tell(
            new NodeStatus(
                work.node(),
                work.library(),
                work.devices(),
                work.kinds().stream()
                    .sorted()
                    .map(TaskKind::shortName)
                    .collect(Collectors.joining(",")),
                jobs().size(),
                count.busy.get(),
                count.blocks.sum(),
                count.failed.sum(),
                count.bytesIn.sum(),
                count.bytesOut.sum(),
                draining,
                refusals.counts()));
    return Behaviors.same();
  }

  private Behavior<Command> onDrain(Drain request) {
    drains.add(request.replyTo());
    if (!draining) {
      draining = true;
      ActorRef<GatewayRequest> self = context.getSelf().narrow();
      work.kinds()
          .forEach(
              kind ->
                  context
                      .getSystem()
                      .receptionist()
                      .tell(Receptionist.deregister(Fleet.gateways(kind), self)));
      context
          .getChildren()
          .forEach(child -> child.<Object>unsafeUpcast().tell(JobSession.Drain.INSTANCE));
      Duration limit = settings.drainDeadline();
      timers.startSingleTimer(DrainDeadline.INSTANCE, limit);
    }
    return endIfDrained();
  }

  private Behavior<Command> endIfDrained() {
    return draining && context.getChildren().isEmpty() ? end() : Behaviors.same();
  }

  private Behavior<Command> onDrainDeadline() {
    context
        .getLog()
        .warn(
            "node {}: {} jobs have not finished their blocks within {}; other nodes repeat them",
            work.node(),
            jobs().size(),
            settings.drainDeadline());
    return end();
  }

  private Behavior<Command> end() {
    drains.forEach(one -> one.tell(new Drained(work.node())));
    return Behaviors.stopped();
  }
}
