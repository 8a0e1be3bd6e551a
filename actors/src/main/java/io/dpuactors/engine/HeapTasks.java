package io.dpuactors.engine;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.ClosePool;
import io.dpuactors.protocol.EngineProtocol.OpenPool;
import io.dpuactors.protocol.EngineProtocol.PoolClosed;
import io.dpuactors.protocol.EngineProtocol.PoolFailed;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.EngineProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks of one context on data in Java's heap. The caller leases and releases nothing: this
 * class owns the buffers and copies input and output.
 *
 * <p>Tasks begin in the order of the calls. A task waits while all buffers are in use. A task that
 * the context refuses with Busy is sent again. Every call gets one result: the output, or a {@link
 * DocaException} with operation, code and cause. Any thread.
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

  /** One call of {@link #run}. */
  private static final class Call {
    private final ByteBuffer input;
    private final long deadlineNs;
    private final CompletableFuture<ByteBuffer> output = new CompletableFuture<>();

    Call(ByteBuffer input, long deadlineNs) {
      this.input = input;
      this.deadlineNs = deadlineNs;
    }

    void fail(DocaCode code, String why) {
      output.completeExceptionally(new DocaException(DocaError.of("task", code.value(), why)));
    }
  }

  private static final Duration MAX_BUSY_DELAY = Duration.ofMillis(100);

  /** Interval of attempts to lease while no task is in flight: the device holds late buffers. */
  private static final Duration LEASE_INTERVAL = Duration.ofMillis(10);

  private final ActorSystem<?> system;
  private final ActorRef<EngineProtocol.Command> engine;
  private final ActorRef<C> context;
  private final Task<C> task;
  private final HeapTaskOptions options;
  private final BufferPool sources;
  private final BufferPool destinations;
  private final CompletableFuture<Done> idle = new CompletableFuture<>();

  // Guarded by this.
  private final Deque<Call> waiting = new ArrayDeque<>();
  private int inFlight;
  private boolean isClosing;

  private HeapTasks(
      ActorSystem<?> system,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<C> context,
      Task<C> task,
      HeapTaskOptions options,
      BufferPool sources,
      BufferPool destinations) {
    this.system = system;
    this.engine = engine;
    this.context = context;
    this.task = task;
    this.options = options;
    this.sources = sources;
    this.destinations = destinations;
  }

  /**
   * Opens the buffers.
   *
   * @param engine the engine of the context
   * @return fails with a {@link DocaException} if the memory is not available
   */
  public static <C> CompletionStage<HeapTasks<C>> open(
      ActorSystem<?> system,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<C> context,
      Task<C> task,
      HeapTaskOptions options) {
    return pool(system, engine, options.inFlight(), options.maxInputBytes(), options.deadline())
        .thenCompose(
            sources ->
                pool(
                        system,
                        engine,
                        options.inFlight(),
                        options.maxOutputBytes(),
                        options.deadline())
                    .thenApply(
                        destinations ->
                            new HeapTasks<>(
                                system, engine, context, task, options, sources, destinations)));
  }

  private static CompletionStage<BufferPool> pool(
      ActorSystem<?> system,
      ActorRef<EngineProtocol.Command> engine,
      int count,
      int bytes,
      Duration limit) {
    return AskPattern.<EngineProtocol.Command, PoolReply>ask(
            engine, me -> new OpenPool(PoolOptions.of(count, bytes), me), limit, system.scheduler())
        .thenApply(
            reply -> {
              if (reply instanceof PoolFailed failed) {
                throw new DocaException(failed.error());
              }
              return ((PoolOpened) reply).pool();
            });
  }

  /**
   * Runs one task.
   *
   * @param input at most {@link HeapTaskOptions#maxInputBytes}
   * @return the output; fails with a {@link DocaException}: INVALID_VALUE for a long input, FULL
   *     for too many waiting tasks, TIME_OUT at the deadline, SHUTDOWN after {@link #close}, or the
   *     error of the device
   */
  public CompletionStage<ByteString> run(ByteString input) {
    return run(input.asByteBuffer()).thenApply(ByteString::fromByteBuffer);
  }

  /**
   * Runs one task: see {@link #run(ByteString)}.
   *
   * @param input the bytes from position to limit; they must not change before the result
   * @return the output, from position to limit
   */
  public CompletionStage<ByteBuffer> run(ByteBuffer input) {
    Call call = new Call(input.duplicate(), System.nanoTime() + options.deadline().toNanos());
    if (input.remaining() > options.maxInputBytes()) {
      call.fail(
          DocaCode.INVALID_VALUE,
          "the input has %d bytes; the limit is %d"
              .formatted(input.remaining(), options.maxInputBytes()));
    } else if (admit(call)) {
      after(options.deadline(), () -> expire(call));
      startWaiting();
    }
    return call.output;
  }

  private synchronized boolean admit(Call call) {
    if (isClosing) {
      call.fail(DocaCode.SHUTDOWN, "these tasks are closed");
      return false;
    }
    if (inFlight + waiting.size() >= options.inFlight() + options.maxWaiting()) {
      call.fail(DocaCode.FULL, waiting.size() + " tasks wait");
      return false;
    }
    waiting.add(call);
    return true;
  }

  private synchronized void expire(Call call) {
    if (waiting.remove(call)) {
      call.fail(DocaCode.TIME_OUT, "no buffer within " + options.deadline().toMillis() + " ms");
      finishIfIdle();
    }
  }

  /** Starts waiting tasks as long as there are buffers. */
  private synchronized void startWaiting() {
    while (!waiting.isEmpty()) {
      Buffer src = sources.lease();
      Buffer dst = src == null ? null : destinations.lease();
      if (src == null || dst == null) {
        if (src != null) {
          src.release();
        }
        if (inFlight == 0) {
          after(LEASE_INTERVAL, this::startWaiting);
        }
        return;
      }
      inFlight++;
      Call call = waiting.remove();
      src.bytes().put(call.input);
      src.length(src.bytes().position());
      send(call, src, dst, options.busyDelay());
    }
    finishIfIdle();
  }

  private void send(Call call, Buffer src, Buffer dst, Duration busyDelay) {
    Duration left = Duration.ofNanos(call.deadlineNs - System.nanoTime());
    if (left.isNegative() || left.isZero()) {
      release(src, dst);
      call.fail(DocaCode.TIME_OUT, "the context was busy until the deadline");
      ended();
      return;
    }
    AskPattern.<C, TaskReply>ask(
            context, me -> task.request(src, dst, me), left, system.scheduler())
        .whenComplete((reply, failure) -> onReply(call, busyDelay, reply, failure));
  }

  private void onReply(
      Call call, Duration busyDelay, @Nullable TaskReply reply, @Nullable Throwable failure) {
    if (reply instanceof Busy) {
      Duration twice = busyDelay.multipliedBy(2);
      Duration next = twice.compareTo(MAX_BUSY_DELAY) < 0 ? twice : MAX_BUSY_DELAY;
      after(busyDelay, () -> send(call, reply.src(), reply.dst(), next));
      return;
    }
    if (reply instanceof Completed completed) {
      ByteBuffer output = copy(completed.dst());
      release(completed.src(), completed.dst());
      call.output.complete(output);
    } else if (reply instanceof Failed failed) {
      if (failed.ownership() == Ownership.RETURNED) {
        release(failed.src(), failed.dst());
      }
      call.output.completeExceptionally(new DocaException(failed.error()));
    } else {
      // The late answer of the context returns the buffers.
      call.fail(DocaCode.TIME_OUT, String.valueOf(failure));
    }
    ended();
  }

  private void ended() {
    synchronized (this) {
      inFlight--;
    }
    startWaiting();
  }

  private static void release(Buffer src, Buffer dst) {
    src.release();
    dst.release();
  }

  private static ByteBuffer copy(Buffer dst) {
    ByteBuffer output = ByteBuffer.allocate(dst.length());
    output.put(dst.bytes().duplicate().clear().limit(dst.length()));
    return output.flip();
  }

  private void after(Duration delay, Runnable action) {
    system.scheduler().scheduleOnce(delay, action, system.executionContext());
  }

  private synchronized void finishIfIdle() {
    if (isClosing && inFlight == 0 && waiting.isEmpty()) {
      idle.complete(Done.getInstance());
    }
  }

  /**
   * Refuses further tasks, waits for the accepted ones, and closes the buffers. The context stays
   * open.
   *
   * @return fails with a {@link DocaException} if the device still holds a buffer
   */
  public CompletionStage<Done> close() {
    synchronized (this) {
      isClosing = true;
      finishIfIdle();
    }
    return idle.thenCompose(done -> closePool(sources))
        .thenCompose(done -> closePool(destinations));
  }

  private CompletionStage<Done> closePool(BufferPool pool) {
    return AskPattern.<EngineProtocol.Command, PoolClosed>ask(
            engine, me -> new ClosePool(pool, me), options.deadline(), system.scheduler())
        .thenApply(
            closed -> {
              closed
                  .failure()
                  .ifPresent(
                      why -> {
                        throw new DocaException(why);
                      });
              return Done.getInstance();
            });
  }
}
