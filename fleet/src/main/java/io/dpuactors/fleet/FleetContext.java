package io.dpuactors.fleet;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.AttachRefused;
import io.dpuactors.fleet.FleetMessage.AttachReply;
import io.dpuactors.fleet.FleetMessage.Attached;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.BlockDone;
import io.dpuactors.fleet.FleetMessage.BlockFailed;
import io.dpuactors.fleet.FleetMessage.FetchBlock;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskRequest;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController.RequestNext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.actor.typed.receptionist.Receptionist;

/**
 * A compress context whose tasks run on the nodes of a fleet. Workers ask for blocks, and a block
 * gets a request when a worker fetches its content: see {@link OpenBlocks}. Requests beyond the
 * nodes' demand wait here; their buffers bound the memory.
 */
final class FleetContext {
  private enum Tick {
    INSTANCE
  }

  private record Demanded(TaskKind kind, RequestNext<Block> next) {}

  private static final Duration TICK = Duration.ofMillis(500);

  private final ActorContext<Object> context;
  private final FleetSettings settings;
  private final ActorRef<FleetEngine.Found> parent;
  private final String job = UUID.randomUUID().toString().replace("-", "");
  private final Map<TaskKind, WorkQueue> queues = new EnumMap<>(TaskKind.class);
  private final OpenBlocks open;
  private final Set<String> refusals = new HashSet<>();
  private DocaCode missingCode = DocaCode.NOT_FOUND;
  private boolean searching = true;

  private FleetContext(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      Set<TaskKind> kinds,
      FleetTally tally,
      ActorRef<FleetEngine.Found> parent) {
    this.context = context;
    this.parent = parent;
    int partBytes = ContentParts.maxBytes(context.getSystem().settings().config());
    open = new OpenBlocks(job, context.getSelf().narrow(), tally, partBytes);
    settings = FleetSettings.of(context.getSystem());
    kinds.forEach(this::openQueue);
    timers.startTimerWithFixedDelay(Tick.INSTANCE, TICK);
  }

  /**
   * Returns the behavior of a context.
   *
   * @param kinds kinds of its tasks
   * @param parent notified once, when each kind has a node or none was found in time
   */
  static Behavior<Object> create(
      Set<TaskKind> kinds, FleetTally tally, ActorRef<FleetEngine.Found> parent) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new FleetContext(context, timers, kinds, tally, parent).behavior()));
  }

  private void openQueue(TaskKind kind) {
    ActorRef<Object> self = context.getSelf();
    ActorRef<RequestNext<Block>> demands =
        context.spawn(
            Behaviors.receiveMessage(
                next -> {
                  self.tell(new Demanded(kind, next));
                  return Behaviors.same();
                }),
            "demand-" + kind.shortName());
    queues.put(kind, new WorkQueue(context, kind, job, open, self.narrow(), demands));
    context
        .getSystem()
        .receptionist()
        .tell(Receptionist.subscribe(Fleet.gateways(kind), self.narrow()));
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(TaskRequest.class, this::onRequest)
        .onMessage(FetchBlock.class, this::onFetch)
        .onMessage(BlockDone.class, this::onDone)
        .onMessage(BlockFailed.class, this::onFailed)
        .onMessage(Demanded.class, m -> onDemand(m))
        .onMessage(Receptionist.Listing.class, this::onListed)
        .onMessage(AttachReply.class, this::onAttachReply)
        .onMessage(Tick.class, m -> onTick())
        .onMessage(Stop.class, this::onStop)
        .onMessage(Request.class, this::onOther)
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  private Behavior<Object> onRequest(TaskRequest request) {
    if (queues.containsKey(request.kind())) {
      if (open.open(request)) {
        queueOf(request.kind()).add();
      }
    } else {
      String why = "this context cannot " + request.kind().purpose();
      OpenBlocks.refuse(request, DocaCode.NOT_SUPPORTED, why);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onFetch(FetchBlock fetch) {
    open.content(fetch).forEach(part -> fetch.replyTo().tell(part));
    return Behaviors.same();
  }

  private Behavior<Object> onDone(BlockDone result) {
    open.done(result);
    return Behaviors.same();
  }

  private Behavior<Object> onFailed(BlockFailed result) {
    open.failed(result).ifPresent(kind -> queueOf(kind).add());
    return Behaviors.same();
  }

  private WorkQueue queueOf(TaskKind kind) {
    return Objects.requireNonNull(queues.get(kind), "a queue for each kind");
  }

  private Behavior<Object> onDemand(Demanded demanded) {
    queueOf(demanded.kind()).onDemand(demanded.next());
    return Behaviors.same();
  }

  private Behavior<Object> onListed(Receptionist.Listing listing) {
    queues.forEach(
        (kind, queue) -> {
          if (listing.isForKey(Fleet.gateways(kind))) {
            queue.onGateways(listing.getServiceInstances(Fleet.gateways(kind)));
          }
        });
    return Behaviors.same();
  }

  private Behavior<Object> onAttachReply(AttachReply reply) {
    if (reply instanceof Attached attached) {
      queueOf(attached.kind()).onAttached(attached.node());
      reportIfFound();
    } else if (reply instanceof AttachRefused refused) {
      missingCode = DocaCode.of(refused.code());
      String why = refused.node() + ": " + refused.why();
      if (refusals.add(why)) {
        context.getLog().info("a node refused the job: {}", why);
      }
    }
    return Behaviors.same();
  }

  private void reportIfFound() {
    if (searching && queues.values().stream().allMatch(WorkQueue::isServed)) {
      searching = false;
      parent.tell(new FleetEngine.Found(name(), null));
    }
  }

  private Behavior<Object> onTick() {
    queues.values().forEach(WorkQueue::attach);
    if (searching && open.idleLongerThan(settings.joinDeadline())) {
      searching = false;
      parent.tell(new FleetEngine.Found(name(), FleetEngine.error(missingCode, missing())));
    }
    open.overdue(settings.redoAfter()).forEach(kind -> queueOf(kind).add());
    queues.values().forEach(WorkQueue::send);
    if (open.isStalled(settings.stallLimit())) {
      open.failAll(DocaCode.TIME_OUT, "no node sent a result within " + settings.stallLimit());
    }
    return Behaviors.same();
  }

  private String missing() {
    String kinds =
        queues.entrySet().stream()
            .filter(entry -> !entry.getValue().isServed())
            .map(entry -> entry.getKey().purpose())
            .collect(Collectors.joining(" and "));
    String why = refusals.isEmpty() ? "" : "; refused by " + String.join(", ", refusals);
    return "no node of the fleet at %s can %s, after %d s%s (start nodes: %s fleet up --nodes 3)%s"
        .formatted(
            settings.seeds(),
            kinds,
            settings.joinDeadline().toSeconds(),
            why,
            Fleet.program(),
            Refusals.of(context.getSystem()).failures());
  }

  private Behavior<Object> onStop(Stop stop) {
    open.failAll(DocaCode.SHUTDOWN, "the context has ended");
    stop.replyTo().ifPresent(one -> one.tell(Stopped.CLEAN));
    return Behaviors.stopped();
  }

  private Behavior<Object> onOther(Request request) {
    request.refuse(
        FleetEngine.error(
            DocaCode.NOT_SUPPORTED,
            request.getClass().getSimpleName() + " needs a context of an engine"));
    return Behaviors.same();
  }

  private Behavior<Object> onPostStop() {
    open.failAll(DocaCode.SHUTDOWN, "the context has ended");
    return Behaviors.same();
  }

  private String name() {
    return context.getSelf().path().name();
  }
}
