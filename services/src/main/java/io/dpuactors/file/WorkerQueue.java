package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.TaskReply;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Queue of one {@link FilePipeline} at one of its workers. The queue leases buffers for blocks and
 * sends the blocks to the context. Blocks wait here while the context is busy, so the context gets
 * them in order. Other users may share the context and the pools. Thread: the pipeline's.
 */
final class WorkerQueue {
  private final BlockWorker worker;
  private final int index;
  private final BlockWork work;
  private final ActorRef<TaskReply> replies;
  private final TimerScheduler<FileCommand> timers;
  private final PriorityQueue<Block> waiting =
      new PriorityQueue<>(Comparator.comparingLong(block -> block.number));
  private final RetryLimit starved = new RetryLimit();

  /**
   * Creates an empty queue.
   *
   * @param index of the worker in the pipeline
   * @param replies receives the replies of the context
   * @param timers timers of the pipeline, which then calls this object
   */
  WorkerQueue(
      BlockWorker worker,
      int index,
      BlockWork work,
      ActorRef<TaskReply> replies,
      TimerScheduler<FileCommand> timers) {
    this.worker = worker;
    this.index = index;
    this.work = work;
    this.replies = replies;
    this.timers = timers;
  }

  /** Leases the buffers of a block. Returns false while none is free. */
  boolean lease(Block block, long number) throws FileException {
    Buffer src = worker.sources().lease();
    Buffer dst = src == null ? null : worker.destinations().lease();
    if (src == null || dst == null) {
      if (src != null) {
        src.release();
      }
      starve();
      return false;
    }
    starved.reset();
    block.take(number, src, dst);
    return true;
  }

  /**
   * Starts a timer for a retry. Replies return the pipeline's buffers; the timer polls for buffers
   * of other users.
   */
  private void starve() throws FileException {
    if (starved.hasPassed()) {
      throw new FileException(
          FileFailure.of(
              Kind.TASK,
              work.job().input(),
              "no free buffer for %d s".formatted(RetryLimit.LIMIT.toSeconds())));
    }
    timers.startSingleTimer(PipelineMessage.Refill.INSTANCE, RetryLimit.PAUSE);
  }

  /** Sends a block, after all waiting blocks. */
  void send(Block block) {
    if (waiting.isEmpty()) {
      submit(block);
    } else {
      await(block);
    }
  }

  private void submit(Block block) {
    block.state = Block.State.SENT;
    worker.send(work.request(block, replies));
  }

  private void await(Block block) {
    block.state = Block.State.WAITING;
    waiting.add(block);
    timers.startSingleTimer(index, new PipelineMessage.Resend(index), RetryLimit.PAUSE);
  }

  /** Queues a block that the busy context refused, to send it again later. */
  void busy(Block block) throws FileException {
    await(block);
    if (block.busy.hasPassed()) {
      throw RetryLimit.busy(work.job().input(), block.number);
    }
  }

  /** Sends all waiting blocks: the context may have room again. */
  void resend() {
    for (Block block = waiting.poll(); block != null; block = waiting.poll()) {
      submit(block);
    }
  }

  /** Drops all waiting blocks, which stay in their places. Nothing is sent any more. */
  void clear() {
    waiting.clear();
  }
}
