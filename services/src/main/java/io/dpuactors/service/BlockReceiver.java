package io.dpuactors.service;

import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.PostBatch;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.service.Transfer.Transferred;
import io.dpuactors.wire.DataGeometry;
import io.dpuactors.wire.WireException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of the data service.
 *
 * <ol>
 *   <li>It receives the geometry and makes room for the blocks, at most 64 MiB.
 *   <li>It receives the blocks in order, one at a time. It posts them in batches and keeps two
 *       batches posted. If the server has more than 64 MiB, later blocks use the same memory.
 *   <li>It stops the clock and checks the blocks.
 * </ol>
 *
 * <p>If it verifies more than 64 MiB, it checks the blocks before it uses their memory again. It
 * posts nothing then, and the clock does not count that time. This actor is fastest on the engine's
 * thread. The engine then waits while the actor fills the memory and while it checks the blocks.
 */
public final class BlockReceiver extends TransferEnd {
  /** Number of batches posted at once: the bridge runs one while this actor wakes for the other. */
  private static final int AHEAD = 2;

  private final ReceiverOptions options;
  private @Nullable DataGeometry geometry;
  private @Nullable BlockRing ring;
  private @Nullable ActorRef<ConsumerProtocol.Command> consumer;
  private int posted;
  private int received;

  /** Index of the first block that is not checked. */
  private int roundBegin;

  /** Index after the last block to receive before the next check. */
  private int roundEnd;

  private int wrongBlocks;
  private long beginNs;

  /** Nanoseconds since {@code beginNs} that checks between blocks took. */
  private long pausedNs;

  /**
   * Options of a receiver.
   *
   * @param device PCI address of the connection's device; empty: the device that the engine opened
   *     first
   * @param maxBytes largest number of bytes of all blocks of the server
   * @param verify check the content of each block
   */
  public record ReceiverOptions(Optional<String> device, long maxBytes, boolean verify) {}

  private BlockReceiver(
      ActorContext<Object> context,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<MemoryProtocol.Command> memory,
      ReceiverOptions options,
      Duration limit,
      ActorRef<? super Transfer> replyTo) {
    super(context, connection, engine, memory, limit, replyTo);
    this.options = options;
  }

  /**
   * Receives all blocks of a server once, closes the connection, replies, and stops.
   *
   * @param connection of a client; it has no other subscriber
   * @param engine of the connection
   * @param memory opens and closes the pools: the engine, which allocates new memory, or a {@link
   *     KeptMemory}
   * @param replyTo receives one {@link Transfer} after this actor has released the memory; before,
   *     if it has thrown
   */
  public static Behavior<Object> create(
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<MemoryProtocol.Command> memory,
      ReceiverOptions options,
      ActorRef<? super Transfer> replyTo) {
    return create(connection, engine, memory, options, LIMIT, replyTo);
  }

  static Behavior<Object> create(
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<MemoryProtocol.Command> memory,
      ReceiverOptions options,
      Duration limit,
      ActorRef<? super Transfer> replyTo) {
    return Behaviors.setup(
        context -> new BlockReceiver(context, connection, engine, memory, options, limit, replyTo));
  }

  @Override
  public Receive<Object> createReceive() {
    return transferring()
        .onMessage(BatchReply.Ended.class, this::onEnded)
        .onMessage(Message.class, this::onMessage)
        .onMessage(PoolOpened.class, this::onPool)
        .onMessage(PoolFailed.class, failed -> refused(failed.error().toString()))
        .onMessage(Opened.class, this::onConsumer)
        .onMessage(OpenFailed.class, failed -> refused(failed.error().toString()))
        .onMessage(BatchFailed.class, this::onFailed)
        .onMessage(BatchReply.class, Busy.class::isInstance, this::onBusy)
        .onAnyMessage(other -> this)
        .build();
  }

  private Behavior<Object> onMessage(Message message) {
    if (geometry != null || isStopping()) {
      return fail("the server sent a message after its geometry");
    }
    try {
      DataGeometry announced = DataGeometry.decode(message.bytes());
      Optional<String> obstacle =
          BlockRoom.obstacle(announced, options.maxBytes()).or(() -> BlockRing.obstacle(announced));
      if (obstacle.isPresent()) {
        return fail(obstacle.get());
      }
      geometry = announced;
      stopWaiting();
      openRoom(
          BlockRing.memory(announced),
          options.device(),
          MemoryOptions.defaults()
              .withPermissions(Set.of(Permission.PCI_READ_WRITE))
              .withHugePages());
      return this;
    } catch (WireException e) {
      return fail(String.valueOf(e.getMessage()));
    }
  }

  private Behavior<Object> onPool(PoolOpened opened) {
    replyReceived();
    own(opened.pool());
    DataGeometry shape = geometry;
    if (isStopping() || shape == null) {
      return continueStop();
    }
    BlockRing blocks = BlockRing.lease(opened.pool(), shape);
    if (blocks == null) {
      return fail(ENGINE_STOPS);
    }
    ring = blocks;
    roundEnd = options.verify() ? blocks.size() : shape.blocks();
    requestSent();
    connection.tell(
        new OpenConsumer("blocks", DataOptions.into(opened.pool()).withWindow(1), self()));
    return this;
  }

  private Behavior<Object> onConsumer(Opened<?> opened) {
    replyReceived();
    if (isStopping()) {
      return continueStop();
    }
    consumer = opened.context().unsafeUpcast();
    awaitServer();
    beginNs = System.nanoTime();
    postAhead();
    return this;
  }

  private void postAhead() {
    ActorRef<ConsumerProtocol.Command> open = consumer;
    BlockRing blocks = ring;
    if (open == null || blocks == null) {
      return;
    }
    while (posted < Math.min(AHEAD, blocks.parts())) {
      TaskBatch batch = blocks.next(roundEnd);
      if (batch == null) {
        return;
      }
      posted++;
      requestSent();
      open.tell(new PostBatch(batch, 0, self()));
    }
  }

  private Behavior<Object> onEnded(BatchReply.Ended ended) {
    long now = System.nanoTime();
    replyReceived();
    DataGeometry shape = geometry;
    BlockRing blocks = ring;
    if (isStopping() || shape == null || blocks == null) {
      return continueStop();
    }
    posted--;
    String wrong = wrong(ended.batch(), shape);
    if (wrong != null) {
      return fail(wrong);
    }
    received += ended.batch().size();
    if (received == roundEnd) {
      endRound(blocks, shape, now);
    }
    postAhead();
    return received < shape.blocks()
        ? this
        : end(new Transferred(received, shape.blockBytes(), now - beginNs - pausedNs, wrongBlocks));
  }

  /** Checks the blocks in memory, and prepares the memory for the next blocks. */
  private void endRound(BlockRing blocks, DataGeometry shape, long nowNs) {
    if (options.verify()) {
      wrongBlocks += blocks.countWrong(roundBegin, roundEnd);
    }
    if (received < shape.blocks()) {
      roundBegin = roundEnd;
      roundEnd = Math.min(shape.blocks(), roundBegin + blocks.size());
      blocks.prepare(roundBegin);
      pausedNs += System.nanoTime() - nowNs;
    }
  }

  /** Returns the first error of a batch or of the sizes of its blocks, or null. */
  private @Nullable String wrong(TaskBatch batch, DataGeometry shape) {
    int failed = batch.results().firstFailure();
    if (failed >= 0) {
      return "block %d: %s".formatted(received + failed, batch.results().error(failed));
    }
    for (int i = 0; i < batch.size(); i++) {
      int bytes = batch.destinations().get(i).length();
      if (bytes != shape.blockBytes()) {
        return "block %d has %d bytes, not %d".formatted(received + i, bytes, shape.blockBytes());
      }
    }
    return null;
  }

  private Behavior<Object> onFailed(BatchFailed failed) {
    replyReceived();
    if (failed.ownership() == Ownership.RETAINED && ring != null) {
      ring.forget(failed.batch());
    }
    return fail("block %d: %s".formatted(received, failed.error()));
  }

  private Behavior<Object> onBusy(BatchReply busy) {
    return refused("block %d: the queue of the consumer is full".formatted(received));
  }

  @Override
  void releaseLeases() {
    if (ring != null) {
      ring.release();
    }
  }
}
