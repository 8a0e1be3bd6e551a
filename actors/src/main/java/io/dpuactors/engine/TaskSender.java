package io.dpuactors.engine;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskBuffers.Pair;
import io.dpuactors.loop.SchedulerClock;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends the tasks of a {@link HeapTasks} to their context, again after {@link Busy}. Any thread.
 *
 * @param <C> messages of the context
 */
final class TaskSender<C> {
  private final ActorSystem<?> system;
  private final ActorRef<C> context;
  private final HeapTasks.Task<C> task;
  private final HeapTaskOptions options;
  private final LongSupplier clock;
  private final LongAdder busyRetries = new LongAdder();

  TaskSender(
      ActorSystem<?> system, ActorRef<C> context, HeapTasks.Task<C> task, HeapTaskOptions options) {
    this.system = system;
    this.context = context;
    this.task = task;
    this.options = options;
    this.clock = SchedulerClock.of(Adapter.toClassic(system).scheduler());
  }

  /** Returns the deadline of a task that begins now. */
  long deadlineNs() {
    return clock.getAsLong() + options.deadline().toNanos();
  }

  boolean isLate(long deadlineNs) {
    return clock.getAsLong() >= deadlineNs;
  }

  /** Returns the number of requests that were sent again after Busy. */
  long busyRetries() {
    return busyRetries.sum();
  }

  /**
   * Sends a task.
   *
   * @param pair leased buffers with the input
   * @return the pair, leased, with the output. A failed task has released it, or the late answer
   *     will
   */
  CompletionStage<Pair> send(Pair pair, long deadlineNs) {
    return send(new Call(pair, deadlineNs), options.busyDelay());
  }

  private record Call(Pair pair, long deadlineNs) {}

  private CompletionStage<Pair> send(Call call, Duration busyDelay) {
    Pair pair = call.pair();
    long leftNs = call.deadlineNs() - clock.getAsLong();
    if (leftNs <= 0) {
      pair.release();
      return failed(DocaCode.TIME_OUT, "the context was busy until the deadline");
    }
    return ask(pair, Duration.ofNanos(leftNs))
        // Without an executor, the stage of an ask runs each step as a task of the common pool,
        // which
        // starts a thread per task on a machine with two processors.
        .handleAsync((reply, failure) -> result(call, busyDelay, reply, failure), Runnable::run)
        .thenCompose(Function.identity());
  }

  private CompletionStage<TaskReply> ask(Pair pair, Duration limit) {
    try {
      return AskPattern.ask(
          context, me -> task.request(pair.src(), pair.dst(), me), limit, system.scheduler());
    } catch (RuntimeException | Error e) { // of the caller's function
      pair.release();
      throw e;
    }
  }

  private CompletionStage<Pair> result(
      Call call, Duration busyDelay, @Nullable TaskReply reply, @Nullable Throwable failure) {
    if (reply instanceof Completed) {
      return CompletableFuture.completedStage(call.pair());
    }
    if (reply instanceof Busy busy) {
      return onBusy(call, busyDelay, busy);
    }
    if (reply instanceof Failed failed) {
      if (failed.ownership() == Ownership.RETURNED) {
        call.pair().release();
      }
      return CompletableFuture.failedStage(new DocaException(failed.error()));
    }
    // The late answer of the context returns the buffers. An ask of an ended actor fails at once.
    DocaCode code = isLate(call.deadlineNs()) ? DocaCode.TIME_OUT : DocaCode.SHUTDOWN;
    return failed(code, String.valueOf(failure));
  }

  private CompletionStage<Pair> onBusy(Call call, Duration delay, Busy busy) {
    if (delay.isZero()) {
      call.pair().release();
      return failed(DocaCode.FULL, busy.queued() + " requests wait at the context");
    }
    busyRetries.increment();
    Duration twice = delay.multipliedBy(2);
    Duration max = options.maxBusyDelay();
    return pause(delay).thenCompose(done -> send(call, twice.compareTo(max) < 0 ? twice : max));
  }

  CompletionStage<Done> pause(Duration delay) {
    CompletableFuture<Done> pause = new CompletableFuture<>();
    system
        .scheduler()
        .scheduleOnce(delay, () -> pause.complete(Done.getInstance()), system.executionContext());
    return pause;
  }

  private static <T> CompletionStage<T> failed(DocaCode code, String why) {
    return CompletableFuture.failedStage(exception(code, why));
  }

  static DocaException exception(DocaCode code, String why) {
    return new DocaException("task", code, why);
  }
}
