package io.dpuactors.service;

import io.dpuactors.bridge.BatchResults;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenWindows;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.ProduceBatch;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of the data service. The actor sends the geometry. When the client has a
 * consumer, it sends all blocks in order, and again for each further consumer.
 *
 * <p>One block is in flight. The sender keeps two batches queued, so that the device need not wait
 * for this actor. The sender closes the connection of a client that takes no data, or that is
 * silent after its first request. The sender runs as a session of {@link Sessions}.
 */
public final class BlockSender extends ConnectionEnd {
  /** Number of batches sent at once: the bridge runs one while this actor wakes for the other. */
  private static final int AHEAD = 2;

  /**
   * Blocks in a batch. With one batch queued, the device waits between batches. Each client has
   * windows for {@code AHEAD} batches.
   */
  private static final int BATCH_BLOCKS = 64;

  private enum Tick {
    CHECK
  }

  private final BlockMemory blocks;
  private final Duration stallLimit;
  private @Nullable BufferPool windows;
  private @Nullable ActorRef<ProducerProtocol.Command> producer;

  /** Identifier of the consumer that receives blocks; 0: none. */
  private int consumer;

  /** Index of the next block to send. */
  private int next;

  /** Number of blocks in this consumer's completed batches. */
  private int sent;

  private final SentBatches running = new SentBatches();

  private final StallCheck stall = new StallCheck();

  /** Whether the client has sent a message or opened a consumer. */
  private boolean hasRequested;

  private BlockSender(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      BlockMemory blocks,
      Duration stallLimit) {
    super(context, connection, engine);
    this.blocks = blocks;
    this.stallLimit = stallLimit;
    timers.startTimerWithFixedDelay(Tick.CHECK, stallLimit.dividedBy(StallCheck.CHECKS));
  }

  /**
   * Serves one connection.
   *
   * @param engine of the connection and the blocks
   * @param blocks blocks that all connections share; stays open as long as the connections
   * @param withNul append a NUL to the geometry, for clients that read a C string
   * @param stallLimit time without progress after which a client loses its connection; before its
   *     first request, the deadline of the server applies instead
   */
  public static Behavior<ConnectionEvent> create(
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      BlockMemory blocks,
      boolean withNul,
      Duration stallLimit) {
    return Behaviors.<Object>setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        new BlockSender(context, timers, connection, engine, blocks, stallLimit)
                            .begin(withNul)))
        .narrow();
  }

  private Behavior<Object> begin(boolean withNul) {
    connection.tell(Send.orFail(blocks.geometry().encode(withNul)));
    requestSent();
    engine.tell(new OpenWindows(blocks.pool(), AHEAD * BATCH_BLOCKS, self()));
    DataOptions options =
        DataOptions.defaults()
            .withWindow(1)
            .withQueue(AHEAD)
            .withDeadline(stallLimit.multipliedBy(AHEAD * BATCH_BLOCKS));
    requestSent();
    connection.tell(new OpenProducer("blocks", options, self()));
    return this;
  }

  @Override
  public Receive<Object> createReceive() {
    return receiving()
        .onMessage(BatchReply.Ended.class, this::onEnded)
        .onMessage(BatchFailed.class, this::onFailed)
        .onMessage(BatchReply.class, Busy.class::isInstance, this::onBusy)
        .onMessage(Message.class, message -> onMessage())
        .onMessage(ConsumerJoined.class, this::onConsumer)
        .onMessage(ConsumerLeft.class, this::onConsumerLeft)
        .onMessage(PoolOpened.class, this::onWindows)
        .onMessage(PoolFailed.class, failed -> onRefused(failed.error()))
        .onMessage(Opened.class, this::onOpened)
        .onMessage(OpenFailed.class, failed -> onRefused(failed.error()))
        .onMessageEquals(Tick.CHECK, this::onCheck)
        .onAnyMessage(other -> this)
        .build();
  }

  private Behavior<Object> onWindows(PoolOpened opened) {
    replyReceived();
    own(opened.pool());
    windows = opened.pool();
    return sendNext();
  }

  private Behavior<Object> onOpened(Opened<?> opened) {
    replyReceived();
    producer = opened.context().unsafeUpcast();
    return sendNext();
  }

  private Behavior<Object> onRefused(DocaError error) {
    replyReceived();
    return disconnect(error, "");
  }

  private Behavior<Object> onMessage() {
    hasRequested = true;
    return this;
  }

  private Behavior<Object> onConsumer(ConsumerJoined joined) {
    if (consumer != 0) {
      return disconnect("it opened a second consumer before the first had all blocks");
    }
    hasRequested = true;
    stall.reset();
    consumer = joined.consumer();
    next = 0;
    sent = 0;
    return sendNext();
  }

  private Behavior<Object> onConsumerLeft(ConsumerLeft left) {
    if (left.consumer() == consumer) {
      consumer = 0;
    }
    return this;
  }

  private Behavior<Object> sendNext() {
    ActorRef<ProducerProtocol.Command> to = producer;
    BufferPool through = windows;
    if (to == null || through == null || isStopping()) {
      return continueStop();
    }
    int all = blocks.geometry().blocks();
    while (consumer != 0 && running.size() < AHEAD && next < all) {
      int count = Math.min(BATCH_BLOCKS, all - next);
      TaskBatch batch = blocks.batch(through, next, count);
      if (batch == null) {
        return withoutLease();
      }
      running.add(batch, next);
      requestSent();
      to.tell(new ProduceBatch(batch, consumer, consumer, self()));
      next += count;
    }
    return this;
  }

  /** Ends the session. The engine stops lending before it stops the connection. */
  private Behavior<Object> withoutLease() {
    getContext()
        .getLog()
        .info("closing the connection of a data client: no lease for block {}", next);
    return stop();
  }

  private Behavior<Object> onEnded(BatchReply.Ended reply) {
    int first = end(reply.batch());
    BatchResults results = reply.batch().results();
    int failed = results.firstFailure();
    DocaError error = failed < 0 ? null : results.error(failed);
    BlockMemory.release(reply.batch());
    if (reply.tag() != consumer) {
      return sendNext();
    }
    if (error != null) {
      return disconnect(error, "block " + (first + failed) + ": ");
    }
    sent += reply.batch().size();
    if (sent == blocks.geometry().blocks()) {
      consumer = 0;
    }
    return sendNext();
  }

  /**
   * Closes the connection: the sender queues no more batches than the producer's queue holds, so a
   * busy producer is an error.
   */
  private Behavior<Object> onBusy(BatchReply reply) {
    int first = end(reply.batch());
    BlockMemory.release(reply.batch());
    return disconnect("block " + first + ": the queue of the producer is full");
  }

  /**
   * Handles a failed batch. Windows that a device retains return to their pool without this actor.
   */
  private Behavior<Object> onFailed(BatchFailed reply) {
    int first = end(reply.batch());
    if (reply.ownership() == Ownership.RETURNED) {
      BlockMemory.release(reply.batch());
    }
    return reply.tag() == consumer
        ? disconnect(reply.error(), "block " + first + ": ")
        : sendNext();
  }

  private int end(TaskBatch batch) {
    replyReceived();
    return running.remove(batch);
  }

  /** Closes the connection of a client that posts no receive, or requests no blocks. */
  private Behavior<Object> onCheck() {
    long done = sent + running.ended();
    boolean isIdle = consumer == 0;
    if (!stall.isStalled(done, isIdle ? hasRequested : running.size() > 0)) {
      return this;
    }
    String what = isIdle ? "it has requested no blocks" : "it has taken no block";
    return disconnect("%s for %d ms".formatted(what, stallLimit.toMillis()));
  }

  /** Closes the connection. An error that only reports the connection's end is not logged. */
  private Behavior<Object> disconnect(DocaError error, String what) {
    return isEnd(error) ? stop() : disconnect(what + error);
  }

  private Behavior<Object> disconnect(String why) {
    if (!isStopping()) {
      getContext().getLog().warn("closing the connection of a data client: {}", why);
    }
    return stop();
  }

  @Override
  Behavior<Object> lost(String why) {
    return stop();
  }

  /** Does nothing: each batch returns its windows with its reply, also after this actor's end. */
  @Override
  void releaseLeases() {}

  @Override
  void ended() {}
}
