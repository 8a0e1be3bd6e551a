package io.dpuactors.experiments.program;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.experiments.data.Checksum;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.TaskReply;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * The actor that has blocks deflated, so many at a time, and takes the time from the first request
 * to the last reply. It is meant for the engine's own thread, where requests and replies are
 * cheapest.
 */
final class BlockTrial {
  /** Deflate all blocks once. While one runs, another is answered with {@link Broken}. */
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

  private final ActorRef<TaskReply> self;
  private final ActorRef<CompressProtocol.Command> compress;
  private final List<Buffer> sources;
  private final List<Buffer> destinations;
  private final int[] crcs;
  private final int parallel;
  private @Nullable ActorRef<Outcome> requester;
  private @Nullable String failure;
  private long beginNs;
  private long bytesOut;
  private int next;
  private int inFlight;

  private BlockTrial(
      ActorContext<Object> context,
      ActorRef<CompressProtocol.Command> compress,
      BlockMemory memory,
      int parallel) {
    this.self = context.getSelf().narrow();
    this.compress = compress;
    this.sources = memory.sources();
    this.destinations = memory.destinations();
    this.crcs = new int[sources.size()];
    this.parallel = parallel;
  }

  static Behavior<Object> create(
      ActorRef<CompressProtocol.Command> compress, BlockMemory memory, int parallel) {
    return Behaviors.setup(
        context -> new BlockTrial(context, compress, memory, parallel).behavior());
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(TaskReply.class, this::onReply)
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
    bytesOut = 0;
    next = 0;
    beginNs = System.nanoTime();
    while (inFlight < parallel && next < crcs.length) {
      submitNext();
    }
    return Behaviors.same();
  }

  private void submitNext() {
    compress.tell(new Deflate(sources.get(next), destinations.get(next), next, self));
    next++;
    inFlight++;
  }

  private Behavior<Object> onReply(TaskReply reply) {
    inFlight--;
    if (reply instanceof TaskReply.Completed done) {
      crcs[(int) done.tag()] = done.crc32();
      bytesOut += done.dst().length();
    } else if (failure == null) {
      failure = "block %d: %s".formatted(reply.tag(), why(reply));
    }
    if (failure == null && next < crcs.length) {
      submitNext();
    } else if (inFlight == 0) {
      answer(System.nanoTime() - beginNs);
    }
    return Behaviors.same();
  }

  private static String why(TaskReply reply) {
    return reply instanceof TaskReply.Failed failed ? failed.error().toString() : "context is busy";
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
    for (int crc : crcs) {
      checksum.add(crc);
    }
    to.tell(new Done(elapsedNs, bytesOut, checksum.toString()));
  }
}
