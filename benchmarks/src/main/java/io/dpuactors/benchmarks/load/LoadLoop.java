package io.dpuactors.benchmarks.load;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskReply;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * An actor that keeps a context busy with requests of one task, or of one batch each. In a closed
 * run each reply sends the next request. In an open run requests become due at given times; one
 * without a free request waits in this actor, and its latency grows. Runs on the engine's thread,
 * where requests and replies are cheapest.
 */
final class LoadLoop {
  /**
   * Starts a run. A second run at the same time is answered with {@link Outcome.Broken}.
   *
   * @param count tasks of the run
   * @param latencyNs makes the run open: each task waits for its {@link Due}. Receives the time
   *     from then to the reply, on this actor's thread. Null for a closed run
   */
  record Run(long count, @Nullable LongConsumer latencyNs, ActorRef<Outcome> replyTo) {
    boolean isOpen() {
      return latencyNs != null;
    }
  }

  /** A request of an open run is due at this time of {@link System#nanoTime}. */
  record Due(long timeNs) {}

  private final LoadTarget target;
  private final BufferPairs pairs;
  private final List<TaskBatch> batches;
  private final int maxInFlight;
  private final ActorRef<Object> self;
  private final long[] beganNs;
  private final ArrayDeque<Due> due = new ArrayDeque<>();

  /** Numbers of the requests that are not in flight, in a ring: the oldest is sent next. */
  private final int[] free;

  private int firstFree;
  private int numFree;
  private @Nullable Run run;
  private @Nullable String failure;
  private long toSend;
  private long toReceive;
  private Stopwatch watch = Stopwatch.start();

  private LoadLoop(ActorRef<Object> self, LoadTarget target, BufferPairs pairs, int maxInFlight) {
    this.self = self;
    this.target = target;
    this.pairs = pairs;
    this.batches = pairs.batches();
    this.free = new int[batches.isEmpty() ? pairs.count() : batches.size()];
    this.maxInFlight = Math.min(maxInFlight, free.length);
    this.beganNs = new long[free.length];
    for (int request = 0; request < free.length; request++) {
      release(request);
    }
  }

  /**
   * Creates the behavior for one context.
   *
   * @param pairs one request per batch; without batches, one per pair
   * @param maxInFlight largest number of requests in flight
   */
  static Behavior<Object> create(LoadTarget target, BufferPairs pairs, int maxInFlight) {
    return Behaviors.setup(
        context -> {
          LoadLoop loop = new LoadLoop(context.getSelf(), target, pairs, maxInFlight);
          return Behaviors.receiveMessage(loop::onMessage);
        });
  }

  private Behavior<Object> onMessage(Object message) {
    if (message instanceof TaskReply reply) {
      onReply((int) reply.tag(), 1, reply instanceof TaskReply.Completed, reply);
    } else if (message instanceof BatchReply reply) {
      boolean isGood = reply instanceof BatchReply.Ended && reply.batch().results().failures() == 0;
      onReply((int) reply.tag(), reply.batch().size(), isGood, reply);
    } else if (message instanceof Due next) {
      due.add(next);
      sendNext();
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
    watch = Stopwatch.start();
    sendNext();
  }

  /** Sends what the run allows now. */
  private void sendNext() {
    while (run != null && toSend > 0 && numFree > free.length - maxInFlight) {
      if (!run.isOpen()) {
        send(0);
      } else if (!due.isEmpty()) {
        send(due.remove().timeNs());
      } else {
        return;
      }
    }
  }

  private void send(long beginNs) {
    int request = free[firstFree];
    firstFree = firstFree + 1 == free.length ? 0 : firstFree + 1;
    numFree--;
    beganNs[request] = beginNs;
    toSend -= batches.isEmpty() ? 1 : batches.get(request).size();
    target.context().tell(batches.isEmpty() ? task(request) : batch(request));
  }

  private LocalMessage task(int request) {
    Buffer src = pairs.sources().get(request);
    Buffer dst = pairs.destinations().get(request);
    return target.tasks().create(src, dst, request, self.narrow());
  }

  private LocalMessage batch(int request) {
    return target.batch(batches.get(request), request, self.narrow());
  }

  private void release(int request) {
    int at = firstFree + numFree;
    free[at < free.length ? at : at - free.length] = request;
    numFree++;
  }

  private void onReply(int request, int tasks, boolean isGood, Object reply) {
    Run current = run;
    release(request);
    if (current == null) {
      return;
    }
    toReceive -= tasks;
    if (current.latencyNs() != null) {
      current.latencyNs().accept(System.nanoTime() - beganNs[request]);
    }
    if (!isGood && failure == null) {
      failure = "request %d: %s".formatted(request, reply);
      toReceive -= toSend;
      toSend = 0;
    }
    sendNext();
    if (toReceive <= 0) {
      run = null;
      due.clear();
      Outcome done = watch.stop(current.count());
      current.replyTo().tell(failure == null ? done : new Outcome.Broken(failure));
    }
  }
}
