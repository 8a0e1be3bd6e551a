package io.dpuactors.fleet;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBuffers.Pair;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.fleet.FleetMessage.Block;
import io.dpuactors.fleet.FleetMessage.BlockContent;
import io.dpuactors.fleet.FleetMessage.BlockDone;
import io.dpuactors.fleet.FleetMessage.BlockFailed;
import io.dpuactors.fleet.FleetMessage.FetchBlock;
import io.dpuactors.fleet.FleetMessage.FetchReply;
import io.dpuactors.fleet.NodeWork.Lane;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.Inflate;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.delivery.ConsumerController;
import org.apache.pekko.actor.typed.delivery.ConsumerController.Delivery;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A worker of one job on a node: takes blocks from the client, fetches their content and computes
 * them, one at a time. The consumer confirms a block when the client has the result. The client
 * therefore has the list of blocks that a lost worker has not finished, and sends them to other
 * workers.
 *
 * <p>The worker has a permit from the fetch of a content until the client has the result. Permits
 * therefore also limit the results that wait for slow clients, whose workers fetch no more.
 */
final class BlockConsumer {
  /** A message to the worker. */
  sealed interface Command {}

  /** Computes the block in work, then ends. The client sends the other blocks to other workers. */
  enum Drain implements Command {
    INSTANCE
  }

  /** The worker has a permit of {@link ContentPermits}. */
  enum Permitted implements Command {
    INSTANCE
  }

  private record Arrived(Delivery<Block> delivery) implements Command {}

  private record Fetched(FetchReply reply) implements Command {}

  private enum Timer implements Command {
    FETCH_LOST,
    RETRY,
    FAILURE_OVER
  }

  private record Answered(TaskReply reply) implements Command {}

  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final Duration RETRY_LIMIT = Duration.ofSeconds(30);

  private final TimerScheduler<Command> timers;
  private final NodeWork work;
  private final ActorRef<Command> self;
  private final ActorRef<ConsumerController.Command<Block>> controller;
  private final ActorRef<TaskReply> replies;
  private final ActorRef<FetchReply> contents;
  private final FleetSettings settings;
  private final ContentParts parts = new ContentParts();
  private @Nullable Delivery<Block> current;
  private @Nullable ByteString content;
  private long arrivedNs;
  private boolean sent;
  private boolean draining;

  private BlockConsumer(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeWork work,
      ServiceKey<ConsumerController.Command<Block>> key) {
    this.timers = timers;
    this.work = work;
    self = context.getSelf();
    controller = context.spawn(ConsumerController.create(key), "controller");
    context.watch(controller);
    replies = context.messageAdapter(TaskReply.class, Answered::new);
    contents = context.messageAdapter(FetchReply.class, Fetched::new);
    settings = FleetSettings.of(context.getSystem());
    controller.tell(
        new ConsumerController.Start<>(
            context.messageAdapter(ConsumerController.deliveryClass(), Arrived::new)));
  }

  /** Creates a worker for the blocks of a key. */
  static Behavior<Command> create(
      NodeWork work, ServiceKey<ConsumerController.Command<Block>> key) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new BlockConsumer(context, timers, work, key).behavior()));
  }

  private Behavior<Command> behavior() {
    return Behaviors.receive(Command.class)
        .onMessage(Arrived.class, this::onArrived)
        .onMessage(Fetched.class, m -> onFetched(m.reply()))
        .onMessage(Permitted.class, m -> fetch())
        .onMessageEquals(Timer.FETCH_LOST, this::onFetchLost)
        .onMessage(Answered.class, m -> onAnswered(m.reply()))
        .onMessageEquals(Timer.RETRY, this::compute)
        .onMessageEquals(Timer.FAILURE_OVER, this::confirm)
        .onMessage(Drain.class, m -> onDrain())
        .onSignal(Terminated.class, signal -> Behaviors.stopped())
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  /** A worker that drains takes no further block, although its controller asks for them. */
  private Behavior<Command> onArrived(Arrived arrived) {
    if (draining) {
      return Behaviors.same();
    }
    current = arrived.delivery();
    work.count().busy.incrementAndGet();
    work.contents().ask(self);
    return Behaviors.same();
  }

  /** Lets other workers fetch first: this client may be stopped. A result needs its permit. */
  private Behavior<Command> onFetchLost() {
    if (sent) {
      return fetch();
    }
    parts.clear();
    work.contents().release(self);
    work.contents().ask(self);
    return Behaviors.same();
  }

  private Behavior<Command> fetch() {
    if (!mayFetch()) {
      return Behaviors.same(); // a late answer was faster than the permit
    }
    Block block = block();
    block.client().tell(new FetchBlock(block.job(), block.id(), contents));
    timers.startSingleTimer(Timer.FETCH_LOST, settings.fetchAgainAfter());
    return Behaviors.same();
  }

  private boolean mayFetch() {
    return current != null && content == null && work.contents().isHeldBy(self);
  }

  /** Ignores a second content, that of an earlier block, and parts without a permit. */
  private Behavior<Command> onFetched(FetchReply reply) {
    if (!mayFetch() || reply.id() != block().id()) {
      return Behaviors.same();
    }
    if (!(reply instanceof BlockContent part)) {
      timers.cancel(Timer.FETCH_LOST);
      return confirm(); // closed: the client has the result, or nobody waits for it
    }
    content = parts.add(part);
    if (content == null) {
      return Behaviors.same(); // further parts follow
    }
    timers.cancel(Timer.FETCH_LOST);
    sent = false; // a result that was sent before was lost
    arrivedNs = System.nanoTime();
    return compute();
  }

  /** Sends the block to the device, or tries again later while all buffers are in use. */
  private Behavior<Command> compute() {
    Block block = block();
    Lane lane =
        Objects.requireNonNull(work.lanes().get(block.kind()), "a job has a kind of the node");
    Pair pair = lane.buffers().lease();
    if (pair == null) {
      return later("all buffers of the node were in use");
    }
    ByteString input = Objects.requireNonNull(content, "the content of the block");
    Buffer src = pair.src();
    input.copyToBuffer(src.bytes());
    src.length(input.size());
    lane.context()
        .tell(
            block.kind() == TaskKind.COMPRESS_DEFLATE
                ? new Deflate(src, pair.dst(), block.id(), replies)
                : new Inflate(src, pair.dst(), block.id(), replies));
    return Behaviors.same();
  }

  private Behavior<Command> later(String why) {
    if (System.nanoTime() - arrivedNs > RETRY_LIMIT.toNanos()) {
      return failed(DocaError.of("fleet", DocaCode.FULL.value(), why));
    }
    timers.startSingleTimer(Timer.RETRY, PAUSE);
    return Behaviors.same();
  }

  private Behavior<Command> onAnswered(TaskReply reply) {
    if (reply instanceof Completed completed) {
      return completed(completed);
    }
    boolean retained = reply instanceof Failed failed && failed.ownership() == Ownership.RETAINED;
    if (!retained) {
      new Pair(reply.src(), reply.dst()).release();
    }
    return reply instanceof Failed failed
        ? failed(failed.error())
        : later("the context of the node was busy");
  }

  /** Messages to a client arrive in order: its answer to the fetch shows that it has the result. */
  private Behavior<Command> completed(Completed reply) {
    ByteBuffer output = reply.dst().bytes().clear().limit(reply.dst().length());
    ByteString result = ByteString.fromByteBuffer(output);
    work.count().bytesIn.add(reply.src().length());
    work.count().bytesOut.add(result.size());
    work.count().blocks.increment();
    new Pair(reply.src(), reply.dst()).release();
    Block block = block();
    block
        .client()
        .tell(
            new BlockDone(
                block.job(), block.id(), work.node(), reply.crc32(), reply.checksum(), result));
    content = null;
    sent = true;
    return fetch();
  }

  private Behavior<Command> failed(DocaError error) {
    work.count().failed.increment();
    Block block = block();
    block
        .client()
        .tell(
            new BlockFailed(
                block.job(),
                block.id(),
                work.node(),
                error.raw(),
                error.operation(),
                error.about()));
    content = null;
    work.contents().release(self);
    timers.startSingleTimer(Timer.FAILURE_OVER, settings.pauseAfterFailure());
    return Behaviors.same();
  }

  private Behavior<Command> confirm() {
    Delivery<Block> finished = Objects.requireNonNull(current, "a block is in work");
    current = null;
    content = null;
    parts.clear();
    sent = false;
    work.contents().release(self);
    work.count().busy.decrementAndGet();
    finished.confirmTo().tell(ConsumerController.confirmed());
    return draining ? Behaviors.stopped() : Behaviors.same();
  }

  /**
   * Ends when the client has the result of the block in work. The client then sends the blocks that
   * this worker has not confirmed to other workers. DeliverThenStop of the controller would take
   * blocks as long as the client has some.
   */
  private Behavior<Command> onDrain() {
    draining = true;
    return current == null ? Behaviors.stopped() : Behaviors.same();
  }

  /** A task in flight returns its buffers by its reply, which then reaches no actor. */
  private Behavior<Command> onPostStop() {
    if (current != null) {
      work.contents().release(self);
      work.count().busy.decrementAndGet();
    }
    return Behaviors.same();
  }

  private Block block() {
    return Objects.requireNonNull(current, "a block is in work").message();
  }
}
