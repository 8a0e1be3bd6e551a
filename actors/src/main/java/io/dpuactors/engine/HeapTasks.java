package io.dpuactors.engine;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Pair;
import io.dpuactors.loop.SchedulerClock;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.BuffersFailed;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.BuffersReply;
import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks of one context on data in Java's heap. The caller leases and releases nothing: this
 * class owns the buffers and copies input and output.
 *
 * <p>Tasks begin in the order of the calls. A task waits while all buffers are in use. A task that
 * the context refuses with {@link Busy} is sent again, as the options say. Every call gets one
 * result: the output, or a {@link DocaException} with operation, code and cause. Any thread.
 *
 * @param <C> messages of the context
 */
public final class HeapTasks<C> {
  /**
   * Makes the message of one task, such as {@code CompressProtocol.Deflate::new}.
   *
   * @param <C> messages of the context
   */
  @FunctionalInterface
  public interface Task<C> {
    /** Returns the message. */
    C request(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo);
  }

  private static final Duration FIRST_CLOSE_DELAY = Duration.ofMillis(1);

  /** One call of {@link #run}, which has its buffers. */
  private record Call(Pair buffers, long deadlineNs) {}

  private final ActorSystem<?> system;
  private final ActorRef<EngineProtocol.Command> engine;
  private final ActorRef<C> context;
  private final Task<C> task;
  private final HeapTaskOptions options;
  private final TaskBuffers buffers;
  private final LongSupplier clock;
  private final CompletableFuture<Done> idle = new CompletableFuture<>();
  private final LongAdder busyRetries = new LongAdder();

  private int accepted; // guarded by this
  private boolean isClosing; // guarded by this

  private HeapTasks(
      ActorSystem<?> system,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<C> context,
      Task<C> task,
      HeapTaskOptions options,
      TaskBuffers buffers) {
    this.system = system;
    this.engine = engine;
    this.context = context;
    this.task = task;
    this.options = options;
    this.buffers = buffers;
    this.clock = SchedulerClock.of(Adapter.toClassic(system).scheduler());
  }

  /**
   * Opens the buffers, on the device of the context.
   *
   * @param engine the engine or the engine group of the context
   * @return fails with a {@link DocaException} if the memory is not available
   */
  public static <C> CompletionStage<HeapTasks<C>> open(
      ActorSystem<?> system,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<C> context,
      Task<C> task,
      HeapTaskOptions options) {
    BufferOptions memory =
        BufferOptions.of(options.inFlight(), options.maxInputBytes(), options.maxOutputBytes())
            .withMaxWaiting(options.maxWaiting());
    return AskPattern.<EngineProtocol.Command, BuffersReply>ask(
            engine,
            me -> new OpenBuffers(context, memory, me),
            options.deadline(),
            system.scheduler())
        .thenApply(
            reply -> {
              if (reply instanceof BuffersFailed failed) {
                throw new DocaException(failed.error());
              }
              return new HeapTasks<>(
                  system, engine, context, task, options, ((BuffersOpened) reply).buffers());
            });
  }

  /**
   * Runs one task.
   *
   * @param input at most {@link HeapTaskOptions#maxInputBytes}
   * @return the output; fails with a {@link DocaException}: INVALID_VALUE for a long input, FULL
   *     for too many waiting tasks or a busy context, TIME_OUT at the deadline, SHUTDOWN after
   *     {@link #close}, or the error of the device
   */
  public CompletionStage<ByteString> run(ByteString input) {
    // Nothing else has the array.
    return run(input.size(), input::copyToBuffer).thenApply(ByteString::fromArrayUnsafe);
  }

  /**
   * Runs one task: see {@link #run(ByteString)}.
   *
   * @param input the bytes from position to limit; they must not change before the result
   * @return the output, from position to limit
   */
  public CompletionStage<ByteBuffer> run(ByteBuffer input) {
    ByteBuffer bytes = input.duplicate();
    return run(bytes.remaining(), src -> src.put(bytes)).thenApply(ByteBuffer::wrap);
  }

  private CompletionStage<byte[]> run(int inputBytes, Consumer<ByteBuffer> fill) {
    if (inputBytes > options.maxInputBytes()) {
      return failed(
          DocaCode.INVALID_VALUE,
          "the input has %d bytes; the limit is %d".formatted(inputBytes, options.maxInputBytes()));
    }
    if (!admit()) {
      return failed(DocaCode.SHUTDOWN, "these tasks are closed");
    }
    long deadlineNs = deadlineNs();
    return buffers
        .leaseWithin(options.deadline())
        .thenCompose(pair -> start(new Call(pair, deadlineNs), fill))
        .whenComplete((output, failure) -> ended());
  }

  private long deadlineNs() {
    return clock.getAsLong() + options.deadline().toNanos();
  }

  private synchronized boolean admit() {
    accepted += isClosing ? 0 : 1;
    return !isClosing;
  }

  private synchronized void ended() {
    accepted--;
    finishIfIdle();
  }

  private synchronized void finishIfIdle() {
    if (isClosing && accepted == 0) {
      idle.complete(Done.getInstance());
    }
  }

  private CompletionStage<byte[]> start(Call call, Consumer<ByteBuffer> fill) {
    Buffer src = call.buffers().src();
    fill.accept(src.bytes());
    src.length(src.bytes().position());
    return send(call, options.busyDelay());
  }

  private CompletionStage<byte[]> send(Call call, Duration busyDelay) {
    Pair pair = call.buffers();
    long leftNs = call.deadlineNs() - clock.getAsLong();
    if (leftNs <= 0) {
      pair.release();
      return failed(DocaCode.TIME_OUT, "the context was busy until the deadline");
    }
    return AskPattern.<C, TaskReply>ask(
            context,
            me -> task.request(pair.src(), pair.dst(), me),
            Duration.ofNanos(leftNs),
            system.scheduler())
        .handle((reply, failure) -> result(call, busyDelay, reply, failure))
        .thenCompose(Function.identity());
  }

  private CompletionStage<byte[]> result(
      Call call, Duration busyDelay, @Nullable TaskReply reply, @Nullable Throwable failure) {
    if (reply instanceof Busy busy) {
      return onBusy(call, busyDelay, busy);
    }
    if (reply instanceof Completed completed) {
      byte[] output = copy(completed.dst());
      call.buffers().release();
      return CompletableFuture.completedStage(output);
    }
    if (reply instanceof Failed failed) {
      if (failed.ownership() == Ownership.RETURNED) {
        call.buffers().release();
      }
      return CompletableFuture.failedStage(new DocaException(failed.error()));
    }
    // The late answer of the context returns the buffers. An ask of an ended actor fails at once.
    boolean isLate = clock.getAsLong() >= call.deadlineNs();
    return failed(isLate ? DocaCode.TIME_OUT : DocaCode.SHUTDOWN, String.valueOf(failure));
  }

  private CompletionStage<byte[]> onBusy(Call call, Duration delay, Busy busy) {
    if (delay.isZero()) {
      call.buffers().release();
      return failed(DocaCode.FULL, busy.queued() + " requests wait at the context");
    }
    busyRetries.increment();
    Duration twice = delay.multipliedBy(2);
    Duration max = options.maxBusyDelay();
    return pause(delay).thenCompose(done -> send(call, twice.compareTo(max) < 0 ? twice : max));
  }

  private CompletionStage<Done> pause(Duration delay) {
    CompletableFuture<Done> pause = new CompletableFuture<>();
    system
        .scheduler()
        .scheduleOnce(delay, () -> pause.complete(Done.getInstance()), system.executionContext());
    return pause;
  }

  /** Returns the number of requests that were sent again after {@link Busy}. */
  public long busyRetries() {
    return busyRetries.sum();
  }

  private static CompletionStage<byte[]> failed(DocaCode code, String why) {
    return CompletableFuture.failedStage(
        new DocaException(DocaError.of("task", code.value(), why)));
  }

  private static byte[] copy(Buffer dst) {
    byte[] output = new byte[dst.length()];
    dst.bytes().get(0, output);
    return output;
  }

  /**
   * Refuses further tasks, waits for the accepted ones, and closes the buffers. A buffer that the
   * device still holds delays the close, at most until the deadline of the options. The context
   * stays open.
   *
   * @return fails with a {@link DocaException} if the device still holds a buffer at the deadline
   */
  public CompletionStage<Done> close() {
    synchronized (this) {
      isClosing = true;
      finishIfIdle();
    }
    return idle.thenCompose(done -> closeBuffers(deadlineNs(), FIRST_CLOSE_DELAY));
  }

  private CompletionStage<Done> closeBuffers(long deadlineNs, Duration delay) {
    return AskPattern.<EngineProtocol.Command, PoolClosed>ask(
            engine, me -> new CloseBuffers(buffers, me), options.deadline(), system.scheduler())
        .thenCompose(
            answer -> {
              if (answer.failure().isEmpty()) {
                return CompletableFuture.completedStage(Done.getInstance());
              }
              DocaError error = answer.failure().get();
              if (error.code() != DocaCode.IN_USE || clock.getAsLong() >= deadlineNs) {
                return CompletableFuture.failedStage(new DocaException(error));
              }
              return pause(delay).thenCompose(over -> closeBuffers(deadlineNs, delay.plus(delay)));
            });
  }
}
