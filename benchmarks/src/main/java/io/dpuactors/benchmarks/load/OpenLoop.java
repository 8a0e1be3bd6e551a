package io.dpuactors.benchmarks.load;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.TaskReply;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * An actor that sends tasks when they become due, and measures their latency from that time. A task
 * without a free buffer pair waits in this actor, and its latency grows. The measurement therefore
 * includes the tasks that a stalled device or program delays.
 */
final class OpenLoop {
  /**
   * Starts a run.
   *
   * @param latencyNs receives the time from due to done of each task, on this actor's thread
   */
  record Run(long count, LongConsumer latencyNs, ActorRef<Outcome> replyTo) {}

  /** A task is due at this time of {@link System#nanoTime}. */
  record Due(long timeNs) {}

  private final Load load;
  private final ActorRef<Object> target;
  private final Places places;
  private final ActorRef<TaskReply> self;
  private final ArrayDeque<Due> waiting = new ArrayDeque<>();
  private final long[] dueNs;
  private final int[] free;
  private int freeCount;
  private @Nullable Run run;
  private @Nullable String failure;
  private long toReceive;
  private long beginNs;
  private long beginBytes;

  private OpenLoop(
      ActorContext<Object> context, Load load, ActorRef<Object> target, Places places) {
    this.load = load;
    this.target = target;
    this.places = places;
    this.self = context.getSelf().narrow();
    this.dueNs = new long[places.count()];
    this.free = new int[places.count()];
    for (int i = 0; i < free.length; i++) {
      free[freeCount++] = i;
    }
  }

  /** Creates the behavior for one context. */
  static Behavior<Object> create(Load load, ActorRef<Object> target, Places places) {
    return Behaviors.setup(
        context -> {
          OpenLoop loop = new OpenLoop(context, load, target, places);
          return Behaviors.receiveMessage(loop::onMessage);
        });
  }

  private Behavior<Object> onMessage(Object message) {
    if (message instanceof TaskReply reply) {
      onReply(reply);
    } else if (message instanceof Due due) {
      waiting.add(due);
      sendWaiting();
    } else if (message instanceof Run next) {
      onRun(next);
    } else {
      return Behaviors.unhandled();
    }
    return Behaviors.same();
  }

  private void onRun(Run next) {
    run = next;
    failure = null;
    toReceive = next.count();
    beginBytes = ThreadAllocation.bytes();
    beginNs = System.nanoTime();
    sendWaiting();
  }

  private void sendWaiting() {
    while (run != null && freeCount > 0 && !waiting.isEmpty()) {
      int place = free[--freeCount];
      dueNs[place] = waiting.remove().timeNs();
      Buffer src = places.sources().get(place);
      Buffer dst = places.destinations().get(place);
      target.tell(
          switch (load.kind()) {
            case COMPRESS -> new Deflate(src, dst, place, self);
            case DMA -> new Copy(src, dst, place, self);
          });
    }
  }

  private void onReply(TaskReply reply) {
    int place = (int) reply.tag();
    Run current = run;
    if (current == null) {
      return;
    }
    current.latencyNs().accept(System.nanoTime() - dueNs[place]);
    if (!(reply instanceof TaskReply.Completed) && failure == null) {
      failure = "task %d: %s".formatted(place, reply);
    }
    free[freeCount++] = place;
    toReceive--;
    sendWaiting();
    if (toReceive == 0) {
      run = null;
      long elapsedNs = System.nanoTime() - beginNs;
      long bytes = ThreadAllocation.bytes() - beginBytes;
      current
          .replyTo()
          .tell(
              failure == null
                  ? new Outcome.Done(current.count(), elapsedNs, bytes)
                  : new Outcome.Broken(failure));
    }
  }
}
