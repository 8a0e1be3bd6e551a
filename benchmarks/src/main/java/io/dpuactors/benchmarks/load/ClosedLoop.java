package io.dpuactors.benchmarks.load;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.TaskReply;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * An actor that keeps a window of tasks in flight up to a total, with one message per task: each
 * reply sends the next request with the buffers of the completed one. Runs on the engine's thread.
 */
final class ClosedLoop {
  /**
   * Starts a run. A second run at the same time is answered with {@link Outcome.Broken}.
   *
   * @param latencyNs receives the time from request to reply of each task, on this actor's thread;
   *     null saves this time
   */
  record Run(long count, @Nullable LongConsumer latencyNs, ActorRef<Outcome> replyTo) {}

  private final Load load;
  private final ActorRef<Object> target;
  private final Places places;
  private final ActorRef<TaskReply> self;
  private final long[] sentNs;
  private @Nullable Run run;
  private @Nullable String failure;
  private long toSend;
  private long toReceive;
  private long beginNs;
  private long beginBytes;

  private ClosedLoop(
      ActorContext<Object> context, Load load, ActorRef<Object> target, Places places) {
    this.load = load;
    this.target = target;
    this.places = places;
    this.self = context.getSelf().narrow();
    this.sentNs = new long[places.count()];
  }

  /**
   * Creates the behavior for one context.
   *
   * @param target accepts the requests of the load's kind
   */
  static Behavior<Object> create(Load load, ActorRef<Object> target, Places places) {
    return Behaviors.setup(
        context -> {
          ClosedLoop loop = new ClosedLoop(context, load, target, places);
          return Behaviors.receiveMessage(loop::onMessage);
        });
  }

  private Behavior<Object> onMessage(Object message) {
    if (message instanceof TaskReply reply) {
      onReply(reply);
    } else if (message instanceof Run next) {
      onRun(next);
    } else {
      return Behaviors.unhandled();
    }
    return Behaviors.same();
  }

  private void onRun(Run next) {
    if (run != null) {
      next.replyTo().tell(new Outcome.Broken("a run is under way"));
      return;
    }
    run = next;
    failure = null;
    toSend = next.count();
    toReceive = next.count();
    beginBytes = ThreadAllocation.bytes();
    beginNs = System.nanoTime();
    for (int place = 0; place < load.window() && toSend > 0; place++) {
      send(place);
    }
  }

  private void send(int place) {
    toSend--;
    if (run != null && run.latencyNs() != null) {
      sentNs[place] = System.nanoTime();
    }
    Buffer src = places.sources().get(place);
    Buffer dst = places.destinations().get(place);
    target.tell(
        switch (load.kind()) {
          case COMPRESS -> new Deflate(src, dst, place, self);
          case DMA -> new Copy(src, dst, place, self);
        });
  }

  private void onReply(TaskReply reply) {
    toReceive--;
    int place = (int) reply.tag();
    if (run != null && run.latencyNs() != null) {
      run.latencyNs().accept(System.nanoTime() - sentNs[place]);
    }
    if (!(reply instanceof TaskReply.Completed) && failure == null) {
      failure = "task %d: %s".formatted(place, reply);
      toReceive -= toSend;
      toSend = 0;
    }
    if (toSend > 0) {
      send(place);
    } else if (toReceive == 0) {
      answer();
    }
  }

  private void answer() {
    long elapsedNs = System.nanoTime() - beginNs;
    long bytes = ThreadAllocation.bytes() - beginBytes;
    Run done = run;
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
