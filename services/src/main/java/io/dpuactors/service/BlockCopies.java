package io.dpuactors.service;

import io.dpuactors.bridge.BatchResults;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.CopyBatch;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.service.MemoryCopier.CopierOptions;
import io.dpuactors.service.Transfer.Transferred;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The DMA context of a {@link MemoryCopier}, and its copies of all blocks. The object keeps two
 * batches queued, and stops the context after the last copy. The owner passes on the replies.
 */
final class BlockCopies {
  private static final int BATCHES = 2;

  private final ConnectionEnd owner;
  private final CopyPlan plan;
  private final BlockRoom room;
  private @Nullable ActorRef<DmaProtocol.Command> dma;
  private int batches;
  private int sent;
  private int copied;
  private long beginNs;
  private long elapsedNs;

  /**
   * Creates the copies without a context.
   *
   * @param owner counts the requests and receives the replies
   * @param plan the copies
   * @param room the destinations of the plan
   */
  BlockCopies(ConnectionEnd owner, CopyPlan plan, BlockRoom room) {
    this.owner = owner;
    this.plan = plan;
    this.room = room;
  }

  /** Opens the context. One failed copy ends the transfer and the context. */
  void open(CopierOptions options) {
    TaskOptions wanted =
        TaskOptions.defaults()
            .withWindow(options.parallel())
            .withSupervision(SupervisorStrategy.stop());
    owner.requestSent();
    owner.engine.tell(
        new OpenDma(
            "dma-" + Integer.toUnsignedString(owner.self().path().uid()),
            options.device().map(wanted::onDevice).orElse(wanted),
            owner.self()));
  }

  /** Begins to copy in the opened context, or stops the context of a stopping owner. */
  void on(Opened<?> opened) {
    dma = opened.context().unsafeUpcast();
    if (owner.isStopping()) {
      stop();
      return;
    }
    beginNs = System.nanoTime();
    for (int i = 0; i < BATCHES; i++) {
      copyNext();
    }
  }

  private void copyNext() {
    TaskBatch batch = plan.next();
    if (dma != null && batch != null) {
      owner.requestSent();
      batches++;
      dma.tell(new CopyBatch(batch, sent, owner.self()));
      sent += batch.size();
    }
  }

  /** Takes the results of a batch. Returns the first error. */
  Optional<String> on(BatchReply.Ended reply) {
    batches--;
    if (owner.isStopping()) {
      return Optional.empty();
    }
    BatchResults results = reply.batch().results();
    int failed = results.firstFailure();
    if (failed >= 0) {
      return Optional.of("block %d: %s".formatted(reply.tag() + failed, results.error(failed)));
    }
    copied += reply.batch().size();
    if (copied == room.size()) {
      elapsedNs = Math.max(1, System.nanoTime() - beginNs);
      stop();
    } else {
      copyNext();
    }
    return Optional.empty();
  }

  /**
   * Takes a batch that did not run to its end. The buffers of the batch may stay with the device.
   */
  void on(BatchFailed reply) {
    batches--;
    if (reply.ownership() == Ownership.RETAINED) {
      plan.forget(reply.batch());
      room.forget(reply.batch().destinations());
    }
  }

  /** Notes that the context has ended. */
  void contextEnded() {
    dma = null;
  }

  /** Returns whether the context and all batches have ended. */
  boolean hasEnded() {
    return dma == null && batches == 0;
  }

  /** Returns whether all blocks are copied. */
  boolean isComplete() {
    return elapsedNs != 0;
  }

  /**
   * Returns the result of complete copies.
   *
   * @param wrong number of blocks with wrong content
   */
  Transferred result(int blockBytes, int wrong) {
    return new Transferred(copied, blockBytes, elapsedNs, wrong);
  }

  /** Stops the context. */
  void stop() {
    if (dma != null) {
      dma.tell(new Stop());
    }
  }

  /** Releases the sources. No batch runs. Idempotent. */
  void releaseSources() {
    plan.release();
  }

  /** Releases all buffers: now, or at the end of their batches. Idempotent. */
  void abandon() {
    plan.abandon();
  }
}
