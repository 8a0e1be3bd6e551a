package io.dpuactors.benchmarks.load;

import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaProtocol.CopyBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of {@link ClosedLoop} with many tasks per message: the window consists of batches,
 * and each reply sends its batch again. Runs on the engine's thread.
 */
final class BatchLoop {
  private final Load load;
  private final ActorRef<Object> target;
  private final List<TaskBatch> batches = new ArrayList<>();
  private final ActorRef<BatchReply> self;
  private final long[] sentNs;
  private ClosedLoop.@Nullable Run run;
  private @Nullable String failure;
  private boolean measuresLatency;
  private long toSend;
  private long toReceive;
  private long beginNs;
  private long beginBytes;

  private BatchLoop(
      ActorContext<Object> context, Load load, ActorRef<Object> target, Places places) {
    this.load = load;
    this.target = target;
    this.self = context.getSelf().narrow();
    for (int from = 0; from < places.count(); from += load.batch()) {
      batches.add(places.batch(from, from + load.batch()));
    }
    this.sentNs = new long[batches.size()];
  }

  /** Creates the behavior for one context. It accepts {@link ClosedLoop.Run}. */
  static Behavior<Object> create(Load load, ActorRef<Object> target, Places places) {
    return Behaviors.setup(
        context -> {
          BatchLoop loop = new BatchLoop(context, load, target, places);
          return Behaviors.receiveMessage(loop::onMessage);
        });
  }

  private Behavior<Object> onMessage(Object message) {
    if (message instanceof BatchReply reply) {
      onReply(reply);
    } else if (message instanceof ClosedLoop.Run next) {
      onRun(next);
    } else {
      return Behaviors.unhandled();
    }
    return Behaviors.same();
  }

  private void onRun(ClosedLoop.Run next) {
    if (run != null) {
      next.replyTo().tell(new Outcome.Broken("a run is under way"));
      return;
    }
    if (next.count() % load.batch() != 0) {
      next.replyTo().tell(new Outcome.Broken("not a whole number of batches"));
      return;
    }
    run = next;
    failure = null;
    measuresLatency = next.latencyNs() != null;
    toSend = next.count();
    toReceive = next.count();
    beginBytes = ThreadAllocation.bytes();
    beginNs = System.nanoTime();
    for (int batch = 0; batch < batches.size() && toSend > 0; batch++) {
      send(batch);
    }
  }

  private void send(int number) {
    TaskBatch batch = batches.get(number);
    toSend -= batch.size();
    if (measuresLatency) {
      sentNs[number] = System.nanoTime();
    }
    target.tell(
        switch (load.kind()) {
          case COMPRESS ->
              new CompressProtocol.Batch(TaskKind.COMPRESS_DEFLATE, batch, number, self);
          case DMA -> new CopyBatch(batch, number, self);
        });
  }

  private void onReply(BatchReply reply) {
    int batch = (int) reply.tag();
    toReceive -= reply.batch().size();
    LongConsumer latencyNs = measuresLatency && run != null ? run.latencyNs() : null;
    if (latencyNs != null) {
      latencyNs.accept(System.nanoTime() - sentNs[batch]);
    }
    boolean good =
        reply instanceof BatchReply.Ended ended && ended.batch().results().failures() == 0;
    if (!good && failure == null) {
      failure = "batch %d: %s".formatted(batch, reply);
      toReceive -= toSend;
      toSend = 0;
    }
    if (toSend > 0) {
      send(batch);
    } else if (toReceive == 0) {
      answer();
    }
  }

  private void answer() {
    long elapsedNs = System.nanoTime() - beginNs;
    long bytes = ThreadAllocation.bytes() - beginBytes;
    ClosedLoop.Run done = run;
    run = null;
    if (done != null) {
      done.replyTo()
          .tell(
              failure == null
                  ? new Outcome.Done(done.count(), elapsedNs, bytes)
                  : new Outcome.Broken(failure));
    }
  }
}
