package io.dpuactors.experiments.program;

import io.dpuactors.bridge.BatchResults;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.experiments.data.Checksum;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Batch;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * The actor that deflates blocks in batches, and measures the time from the first request to the
 * last reply. The context's window limits the tasks in flight. The actor is meant for the engine's
 * thread, where requests and replies are cheapest.
 */
final class BlockTrial {
  /** Deflates all blocks once. While a run is active, the answer is {@link Broken}. */
  record Run(ActorRef<Outcome> replyTo) {}

  /** The answer to {@link Run}. */
  sealed interface Outcome {}

  /**
   * Every block was deflated.
   *
   * @param elapsedNs from the first request to the last reply
   * @param bytesOut of all blocks together
   * @param checksum of the device's CRC-32s
   */
  record Done(long elapsedNs, long bytesOut, String checksum) implements Outcome {}

  /** A block was not deflated. */
  record Broken(String why) implements Outcome {}

  /** Number of requested batches: gives the device work while this actor wakes up. */
  private static final int AHEAD = 2;

  private final ActorRef<BatchReply> self;
  private final ActorRef<CompressProtocol.Command> compress;
  private final List<TaskBatch> batches;
  private @Nullable ActorRef<Outcome> requester;
  private @Nullable String failure;
  private long beginNs;
  private int next;
  private int underWay;

  private BlockTrial(
      ActorContext<Object> context,
      ActorRef<CompressProtocol.Command> compress,
      BlockMemory memory) {
    this.self = context.getSelf().narrow();
    this.compress = compress;
    this.batches = memory.batches();
  }

  static Behavior<Object> create(ActorRef<CompressProtocol.Command> compress, BlockMemory memory) {
    return Behaviors.setup(context -> new BlockTrial(context, compress, memory).behavior());
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(BatchReply.class, this::onReply)
        .onMessage(Run.class, this::onRun)
        .build();
  }

  private Behavior<Object> onRun(Run run) {
    if (requester != null) {
      run.replyTo().tell(new Broken("a trial is running already"));
      return Behaviors.same();
    }
    requester = run.replyTo();
    failure = null;
    next = 0;
    beginNs = System.nanoTime();
    for (int i = 0; i < AHEAD; i++) {
      askNext();
    }
    return Behaviors.same();
  }

  private void askNext() {
    if (failure == null && next < batches.size()) {
      compress.tell(new Batch(TaskKind.COMPRESS_DEFLATE, batches.get(next), next, self));
      next++;
      underWay++;
    }
  }

  private Behavior<Object> onReply(BatchReply reply) {
    underWay--;
    String wrong = wrong(reply);
    if (wrong != null && failure == null) {
      failure = "batch %d: %s".formatted(reply.tag(), wrong);
    }
    askNext();
    if (underWay == 0) {
      answer(System.nanoTime() - beginNs);
    }
    return Behaviors.same();
  }

  private static @Nullable String wrong(BatchReply reply) {
    if (reply instanceof BatchReply.Ended) {
      BatchResults results = reply.batch().results();
      return results.failures() == 0 ? null : results.toString();
    }
    return reply instanceof BatchReply.Failed failed
        ? failed.error().toString()
        : "context is busy";
  }

  private void answer(long elapsedNs) {
    ActorRef<Outcome> to = requester;
    requester = null;
    if (to == null) {
      throw new IllegalStateException("a reply outside of a trial");
    }
    if (failure != null) {
      to.tell(new Broken(failure));
      return;
    }
    Checksum checksum = new Checksum();
    long bytesOut = 0;
    for (TaskBatch batch : batches) {
      for (int block = 0; block < batch.size(); block++) {
        checksum.add(batch.results().crc32(block));
        bytesOut += batch.results().produced(block);
      }
    }
    to.tell(new Done(elapsedNs, bytesOut, checksum.toString()));
  }
}
