package io.dpuactors.service;

import io.dpuactors.bridge.BatchResults;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.SendBatch;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.OpenWindows;
import io.dpuactors.protocol.EngineProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol.PoolFailed;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.comch.ConnectionEvent;
import io.dpuactors.protocol.comch.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.comch.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.comch.ConnectionProtocol.Send;
import io.dpuactors.protocol.comch.DataOptions;
import io.dpuactors.protocol.comch.ProducerProtocol;
import io.dpuactors.protocol.comch.ProducerProtocol.BatchBusy;
import io.dpuactors.protocol.comch.ProducerProtocol.BatchEnded;
import io.dpuactors.protocol.comch.ProducerProtocol.BatchFailed;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceBatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of the data service: tells the geometry, and sends block after block as soon as
 * the client has a consumer; again from the first for each further consumer. One block is in
 * flight. They go in batches, of which one always waits behind the other, so that the device need
 * not wait for this actor. A client that takes no data loses its connection. A session of {@link
 * Sessions}.
 */
public final class BlockSender extends Lender {
  /** Batches that are sent at once: work for the bridge while this actor wakes. */
  private static final int AHEAD = 2;

  /** Between two batches the device waits; each client has windows for so many blocks, twice. */
  private static final int BATCH_BLOCKS = 64;

  /** Looks at a client that takes nothing, until its time is over. */
  private static final int LOOKS = 4;

  private enum Tick {
    LOOK
  }

  private final BlockMemory blocks;
  private final Duration patience;
  private @Nullable BufferPool windows;
  private @Nullable ActorRef<ProducerProtocol.Command> producer;

  /** Who gets blocks; 0: nobody. */
  private int consumer;

  /** The next block that is asked for. */
  private int next;

  /** Blocks that this consumer has got in batches that have ended. */
  private int sent;

  /** What the producer has, for this consumer or one before, and the first block of each. */
  private final Map<SendBatch, Integer> running = new HashMap<>();

  /** What the last look has found, and how often it was the same. */
  private long seen;

  private int looks;

  private BlockSender(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      BlockMemory blocks,
      Duration patience) {
    super(context, connection, engine);
    this.blocks = blocks;
    this.patience = patience;
    timers.startTimerWithFixedDelay(Tick.LOOK, patience.dividedBy(LOOKS));
  }

  /**
   * Serves one connection.
   *
   * @param engine of the connection and the blocks
   * @param blocks what all connections show; stays open as long as they live
   * @param withNul whether a NUL ends the geometry, for clients that take it for a C string
   * @param patience a client that takes no block for so long loses its connection
   */
  public static Behavior<ConnectionEvent> create(
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      BlockMemory blocks,
      boolean withNul,
      Duration patience) {
    return Behaviors.<Object>setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        new BlockSender(context, timers, connection, engine, blocks, patience)
                            .begin(withNul)))
        .narrow();
  }

  private Behavior<Object> begin(boolean withNul) {
    connection.tell(Send.orFail(blocks.geometry().encode(withNul)));
    asked();
    engine.tell(new OpenWindows(blocks.pool(), AHEAD * BATCH_BLOCKS, self()));
    DataOptions options =
        DataOptions.defaults()
            .withWindow(1)
            .withQueue(AHEAD)
            .withDeadline(patience.multipliedBy(AHEAD * BATCH_BLOCKS));
    asked();
    connection.tell(new OpenProducer("blocks", options, self()));
    return this;
  }

  @Override
  public Receive<Object> createReceive() {
    return receiving()
        .onMessage(BatchEnded.class, this::onEnded)
        .onMessage(BatchFailed.class, this::onFailed)
        .onMessage(BatchBusy.class, this::onBusy)
        .onMessage(ConsumerJoined.class, this::onConsumer)
        .onMessage(ConsumerLeft.class, this::onConsumerLeft)
        .onMessage(PoolOpened.class, this::onWindows)
        .onMessage(PoolFailed.class, failed -> onRefused(failed.error()))
        .onMessage(Opened.class, this::onOpened)
        .onMessage(OpenFailed.class, failed -> onRefused(failed.error()))
        .onMessageEquals(Tick.LOOK, this::onLook)
        .onAnyMessage(other -> this)
        .build();
  }

  private Behavior<Object> onWindows(PoolOpened opened) {
    answered();
    own(opened.pool());
    windows = opened.pool();
    return sendNext();
  }

  private Behavior<Object> onOpened(Opened<?> opened) {
    answered();
    producer = opened.context().unsafeUpcast();
    return sendNext();
  }

  private Behavior<Object> onRefused(DocaError error) {
    answered();
    return sendAway(error, "");
  }

  private Behavior<Object> onConsumer(ConsumerJoined joined) {
    if (consumer != 0) {
      return sendAway("it has a second consumer before the first has all blocks");
    }
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
    if (to == null || through == null || isLeaving()) {
      return onceBack();
    }
    int all = blocks.geometry().blocks();
    while (consumer != 0 && running.size() < AHEAD && next < all) {
      int count = Math.min(BATCH_BLOCKS, all - next);
      SendBatch batch = blocks.batch(through, next, count);
      running.put(batch, next);
      asked();
      to.tell(new ProduceBatch(batch, consumer, consumer, self()));
      next += count;
    }
    return this;
  }

  private Behavior<Object> onEnded(BatchEnded reply) {
    int first = end(reply.batch());
    BatchResults results = reply.batch().results();
    int failed = results.firstFailure();
    DocaError error = failed < 0 ? null : results.error(failed);
    BlockMemory.release(reply.batch());
    if (reply.tag() != consumer) {
      return sendNext();
    }
    if (error != null) {
      return sendAway(error, "block " + (first + failed) + ": ");
    }
    sent += reply.batch().size();
    if (sent == blocks.geometry().blocks()) {
      consumer = 0;
    }
    return sendNext();
  }

  /** It was asked for as many as may wait. */
  private Behavior<Object> onBusy(BatchBusy reply) {
    int first = end(reply.batch());
    BlockMemory.release(reply.batch());
    return sendAway("block " + first + ": the producer takes no send");
  }

  /** Windows that a device has kept go back to their pool by themselves. */
  private Behavior<Object> onFailed(BatchFailed reply) {
    int first = end(reply.batch());
    if (reply.ownership() == Ownership.RETURNED) {
      BlockMemory.release(reply.batch());
    }
    return reply.tag() == consumer ? sendAway(reply.error(), "block " + first + ": ") : sendNext();
  }

  private int end(SendBatch batch) {
    answered();
    Integer first = running.remove(batch);
    if (first == null) {
      throw new IllegalStateException(batch + " was not sent");
    }
    return first;
  }

  /** A client that posts no receive keeps its connection only for a while. */
  private Behavior<Object> onLook() {
    long done = sent + running.keySet().stream().mapToLong(one -> one.results().ended()).sum();
    boolean isStuck = consumer != 0 && !running.isEmpty() && done == seen;
    seen = done;
    looks = isStuck ? looks + 1 : 0;
    return looks < LOOKS
        ? this
        : sendAway("it has taken no block for %d ms".formatted(patience.toMillis()));
  }

  /** The client, or its connection, is over; an error that only says so is no news. */
  private Behavior<Object> sendAway(DocaError error, String what) {
    return isEnd(error) ? leave() : sendAway(what + error);
  }

  private Behavior<Object> sendAway(String why) {
    if (!isLeaving()) {
      getContext().getLog().warn("a client of the data service is sent away: {}", why);
    }
    return leave();
  }

  @Override
  Behavior<Object> lost(String why) {
    return leave();
  }

  /** Every batch has been answered, and its windows are back. */
  @Override
  void releaseLeases() {}

  @Override
  void ended() {}
}
