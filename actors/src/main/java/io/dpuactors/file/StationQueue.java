package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.TaskReply;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * What one {@link FilePipeline} has to do at one of its stations: lease buffers for blocks, send
 * them to the context, and have those wait that the context is too busy for, so that it sees them
 * in order. Others may use context and pools as well. On the pipeline's thread.
 */
final class StationQueue {
  /**
   * How long contexts may say that they are busy, and pools that they are empty, before that is a
   * failure.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration PAUSE = Duration.ofMillis(1);

  private final Station station;
  private final int index;
  private final BlockWork work;
  private final ActorRef<TaskReply> replies;
  private final TimerScheduler<FileCommand> timers;
  private final PriorityQueue<Block> waiting =
      new PriorityQueue<>(Comparator.comparingLong(block -> block.number));
  private long starvedSinceNs;

  /**
   * Nothing waits yet.
   *
   * @param index of the station in the pipeline
   * @param replies gets what the context answers
   * @param timers bring the pipeline back here
   */
  StationQueue(
      Station station,
      int index,
      BlockWork work,
      ActorRef<TaskReply> replies,
      TimerScheduler<FileCommand> timers) {
    this.station = station;
    this.index = index;
    this.work = work;
    this.replies = replies;
    this.timers = timers;
  }

  /** Gives a block its buffers. False: there are none for the moment. */
  boolean lease(Block block, long number) throws FileException {
    Buffer src = station.sources().lease();
    Buffer dst = src == null ? null : station.destinations().lease();
    if (src == null || dst == null) {
      if (src != null) {
        src.release();
      }
      starve();
      return false;
    }
    starvedSinceNs = 0;
    block.take(number, src, dst);
    return true;
  }

  /** Answers bring the pipeline's own buffers back, the timer looks for those of others. */
  private void starve() throws FileException {
    long now = System.nanoTime();
    if (starvedSinceNs == 0) {
      starvedSinceNs = now;
    }
    if (now - starvedSinceNs > PATIENCE.toNanos()) {
      throw new FileException(
          FileFailure.of(
              Kind.TASK,
              work.job().input(),
              "no free buffer for %d s".formatted(PATIENCE.toSeconds())));
    }
    timers.startSingleTimer(FilePipeline.Refill.INSTANCE, PAUSE);
  }

  /** Sends a block, behind what waits already. */
  void send(Block block) {
    if (waiting.isEmpty()) {
      submit(block);
    } else {
      await(block);
    }
  }

  private void submit(Block block) {
    block.state = Block.State.SENT;
    station.context().tell(work.request(block, replies));
  }

  private void await(Block block) {
    block.state = Block.State.WAITING;
    waiting.add(block);
    timers.startSingleTimer(index, new FilePipeline.Resend(index), PAUSE);
  }

  /** The context was too busy for a block: it is sent again later. */
  void busy(Block block) throws FileException {
    long now = System.nanoTime();
    if (block.busySinceNs == 0) {
      block.busySinceNs = now;
    }
    await(block);
    if (now - block.busySinceNs > PATIENCE.toNanos()) {
      throw new FileException(
          FileFailure.atBlock(
              Kind.TASK,
              work.job().input(),
              block.number,
              "the context was busy for %d s".formatted(PATIENCE.toSeconds())));
    }
  }

  /** The context may have room again: sends what waits. */
  void resend() {
    for (Block block = waiting.poll(); block != null; block = waiting.poll()) {
      submit(block);
    }
  }

  /** Nothing is sent any more; the blocks that wait are still in their places. */
  void clear() {
    waiting.clear();
  }
}
