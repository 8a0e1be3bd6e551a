package io.dpuactors.fleet;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.AttachRefused;
import io.dpuactors.fleet.FleetMessage.AttachReply;
import io.dpuactors.fleet.FleetMessage.Attached;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.BlockDone;
import io.dpuactors.fleet.FleetMessage.BlockFailed;
import io.dpuactors.fleet.FleetMessage.BlockReply;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.TaskRequest;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
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
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A compress context whose tasks run on the nodes of a fleet. Each request becomes a block of this
 * job. Its first result counts and answers the request; later results are dropped. Requests beyond
 * the nodes' demand wait here; their buffers bound the memory.
 */
final class FleetContext {
  private enum Tick {
    INSTANCE
  }

  private record Demanded(TaskKind kind, RequestNext<Block> next) {}

  /** A request without a result. */
  private static final class OpenBlock {
    final TaskRequest request;
    final Block block;
    long sentNs = System.nanoTime();
    int failures;

    OpenBlock(TaskRequest request, Block block) {
      this.request = request;
      this.block = block;
    }
  }

  /**
   * Largest number of requests; beyond it the answer is Busy. Pekko's controller has room for each
   * of them several times: see fleet.conf.
   */
  private static final int MAX_OPEN = 128;

  /** Number of nodes that may fail a block before its request fails. */
  private static final int MAX_FAILURES = 5;

  private static final Duration TICK = Duration.ofMillis(500);

  private final ActorContext<Object> context;
  private final FleetSettings settings;
  private final FleetTally tally;
  private final ActorRef<FleetEngine.Found> parent;
  private final String job = UUID.randomUUID().toString().replace("-", "");
  private final Map<TaskKind, WorkQueue> queues = new EnumMap<>(TaskKind.class);
  private final Map<Long, OpenBlock> open = new LinkedHashMap<>();
  private final Set<String> refusals = new HashSet<>();
  private long progressNs = System.nanoTime();
  private boolean searching = true;
  private long lastId;

  private FleetContext(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      Set<TaskKind> kinds,
      FleetTally tally,
      ActorRef<FleetEngine.Found> parent) {
    this.context = context;
    this.tally = tally;
    this.parent = parent;
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
    queues.put(kind, new WorkQueue(context, kind, job, self.narrow(), demands));
    context
        .getSystem()
        .receptionist()
        .tell(Receptionist.subscribe(Fleet.gateways(kind), self.narrow()));
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(TaskRequest.class, this::onRequest)
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
    WorkQueue queue = queues.get(request.kind());
    if (queue == null) {
      return refuse(
          request, DocaCode.NOT_SUPPORTED, "this context cannot " + request.kind().purpose());
    }
    int bytes = request.src().length();
    if (bytes < 1 || needed(request.kind(), bytes) > FleetMessage.MAX_BLOCK_BYTES) {
      return refuse(
          request,
          DocaCode.TOO_BIG,
          "a block of %d bytes; a block of a fleet has at least 1 and at most %d"
              .formatted(bytes, maxInputBytes(request.kind())));
    }
    if (open.size() >= MAX_OPEN) {
      request.busy(open.size());
      return Behaviors.same();
    }
    if (open.isEmpty()) {
      progressNs = System.nanoTime();
    }
    ByteString content =
        ByteString.fromByteBuffer(request.src().bytes().duplicate().clear().limit(bytes));
    Block block = new Block(job, ++lastId, request.kind(), content, context.getSelf().narrow());
    open.put(block.id(), new OpenBlock(request, block));
    queue.add(block);
    return Behaviors.same();
  }

  private static long needed(TaskKind kind, int bytes) {
    return kind == TaskKind.COMPRESS_DEFLATE ? GzipMember.maxPayloadBytes(bytes) : bytes;
  }

  /** Returns the largest input of a task of a kind in bytes. */
  static int maxInputBytes(TaskKind kind) {
    return kind == TaskKind.COMPRESS_DEFLATE
        ? FleetEngine.MAX_CONTENT_BYTES
        : FleetMessage.MAX_BLOCK_BYTES;
  }

  private Behavior<Object> onDone(BlockDone result) {
    OpenBlock done = take(result);
    if (done == null) {
      return Behaviors.same();
    }
    Buffer dst = done.request.dst();
    int bytes = result.content().size();
    if (bytes > dst.capacity()) {
      return refuse(
          done.request,
          DocaCode.TOO_BIG,
          "the result has %d bytes, the destination %d".formatted(bytes, dst.capacity()));
    }
    result.content().copyToBuffer(dst.bytes().clear());
    dst.length(bytes);
    tally.count(result.node(), done.block.content().size());
    done.request.completed(result.crc32(), result.checksum());
    return Behaviors.same();
  }

  /** Returns the block of its first result; null for a later result, which is counted. */
  private @Nullable OpenBlock take(BlockReply result) {
    OpenBlock block = result.job().equals(job) ? open.remove(result.id()) : null;
    if (block == null) {
      tally.countDropped();
    } else {
      progressNs = System.nanoTime();
    }
    return block;
  }

  private Behavior<Object> onFailed(BlockFailed result) {
    OpenBlock failed = open.get(result.id());
    if (failed != null && isTransient(result) && ++failed.failures < MAX_FAILURES) {
      repeat(failed);
    } else if (take(result) != null && failed != null) {
      failed.request.failed(
          DocaError.of(
              result.operation(), result.code(), result.about() + " (node " + result.node() + ")"),
          Ownership.RETURNED);
    }
    return Behaviors.same();
  }

  /** Returns whether another node, or the same one later, can compute the block. */
  private static boolean isTransient(BlockFailed result) {
    return switch (DocaCode.of(result.code())) {
      case FULL, AGAIN, TIME_OUT, SHUTDOWN -> true;
      default -> false;
    };
  }

  private void repeat(OpenBlock again) {
    again.sentNs = System.nanoTime();
    tally.countRepeated();
    queueOf(again.block.kind()).repeat(again.block);
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
      parent.tell(new FleetEngine.Found(name(), ""));
    }
  }

  private Behavior<Object> onTick() {
    long now = System.nanoTime();
    queues.values().forEach(WorkQueue::attach);
    if (searching && now - progressNs > settings.joinDeadline().toNanos()) {
      searching = false;
      parent.tell(new FleetEngine.Found(name(), missing()));
    }
    for (OpenBlock block : List.copyOf(open.values())) {
      if (now - block.sentNs > settings.redoAfter().toNanos()) {
        repeat(block);
      }
    }
    if (!open.isEmpty() && now - progressNs > settings.stallLimit().toNanos()) {
      failAll(DocaCode.TIME_OUT, "no node sent a result within " + settings.stallLimit());
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
    return "no node of the fleet at %s can %s, after %d s%s (start nodes: ./dpu fleet up --nodes 3)"
        .formatted(settings.seeds(), kinds, settings.joinDeadline().toSeconds(), why);
  }

  private Behavior<Object> onStop(Stop stop) {
    failAll(DocaCode.SHUTDOWN, "the context has ended");
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
    failAll(DocaCode.SHUTDOWN, "the context has ended");
    return Behaviors.same();
  }

  private void failAll(DocaCode code, String why) {
    List<OpenBlock> all = List.copyOf(open.values());
    open.clear();
    all.forEach(one -> refuse(one.request, code, why));
  }

  private static Behavior<Object> refuse(TaskRequest request, DocaCode code, String why) {
    request.failed(FleetEngine.error(code, why), Ownership.RETURNED);
    return Behaviors.same();
  }

  private String name() {
    return context.getSelf().path().name();
  }
}
