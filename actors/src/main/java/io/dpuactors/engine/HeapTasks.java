package io.dpuactors.engine;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Pair;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.BuffersFailed;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.BuffersReply;
import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.TaskReply;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
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
  private static final Duration MAX_CLOSE_DELAY = Duration.ofMillis(100);

  /**
   * Smallest buffers, in bytes, whose content another thread than the engine's copies. The copy of
   * smaller ones costs less than the change of the thread.
   */
  private static final int MIN_BYTES_OFF_ENGINE = 16 << 10;

  private final ActorSystem<?> system;
  private final ActorRef<EngineProtocol.Command> engine;
  private final HeapTaskOptions options;
  private final TaskBuffers buffers;
  private final TaskSender<C> sender;
  private final CompletableFuture<Done> idle = new CompletableFuture<>();

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
    this.options = options;
    this.buffers = buffers;
    this.sender = new TaskSender<>(system, context, task, options);
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
    return AskPattern.<EngineProtocol.Command, BuffersReply>ask(
            engine,
            me -> new OpenBuffers(context, options.buffers(), me),
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
   * @return the output; fails with a {@link DocaException}. Its code is the error of the device, or
   *     INVALID_VALUE for a long input, FULL for too many waiting tasks or a busy context, TIME_OUT
   *     at the deadline, SHUTDOWN after {@link #close}.
   */
  public CompletionStage<ByteString> run(ByteString input) {
    // Nothing else has the array.
    return copied(input.size(), input::copyToBuffer).thenApply(ByteString::fromArrayUnsafe);
  }

  /**
   * Runs one task: see {@link #run(ByteString)}.
   *
   * @param input the bytes from position to limit; they must not change before the result
   * @return the output, from position to limit
   */
  public CompletionStage<ByteBuffer> run(ByteBuffer input) {
    ByteBuffer bytes = input.duplicate();
    return copied(bytes.remaining(), src -> src.put(bytes)).thenApply(ByteBuffer::wrap);
  }

  /**
   * Runs one task whose input and output the caller accesses in the memory of the device, without a
   * copy. The functions may not keep the views. They run on the engine's thread only if it is the
   * caller, or the executor.
   *
   * @param write runs on the calling thread, or later on the default dispatcher if all buffers are
   *     in use. Writes the input into the view, which has room for {@link
   *     HeapTaskOptions#maxInputBytes}; the position is the end of the input
   * @param read runs on the default dispatcher. Makes the result of the output, from position to
   *     limit
   * @return the result; fails as {@link #run(ByteString)} does, or with the exception of a function
   */
  public <R> CompletionStage<R> run(Consumer<ByteBuffer> write, Function<ByteBuffer, R> read) {
    return run(write, read, system.executionContext());
  }

  /**
   * Does the same with functions that run on an executor. Functions that block belong on {@code
   * pekko.actor.default-blocking-io-dispatcher}.
   *
   * @param write runs on the calling thread, or later on the executor if all buffers are in use
   * @param read runs on the executor
   */
  public <R> CompletionStage<R> run(
      Consumer<ByteBuffer> write, Function<ByteBuffer, R> read, Executor executor) {
    if (!admit()) {
      return failed(DocaCode.SHUTDOWN, "these tasks are closed");
    }
    long deadlineNs = sender.deadlineNs();
    CompletableFuture<Pair> lease = buffers.leaseWithin(options.deadline()).toCompletableFuture();
    // The pair between two steps. The executor may reject the next one.
    AtomicReference<@Nullable Pair> held = new AtomicReference<>();
    return lease
        .thenApply(pair -> kept(pair, held))
        .thenComposeAsync(
            pair -> {
              held.set(null);
              return sender.send(written(pair, write), deadlineNs);
            },
            lease.isDone() ? Runnable::run : executor)
        .thenApply(done -> kept(done, held))
        .thenApplyAsync(
            done -> {
              held.set(null);
              return result(done, read);
            },
            executor)
        .whenComplete((result, failure) -> ended(held.get()));
  }

  private static Pair kept(Pair pair, AtomicReference<@Nullable Pair> held) {
    held.set(pair);
    return pair;
  }

  private CompletionStage<byte[]> copied(int inputBytes, Consumer<ByteBuffer> write) {
    if (inputBytes > options.maxInputBytes()) {
      return failed(
          DocaCode.INVALID_VALUE,
          "the input has %d bytes; the limit is %d".formatted(inputBytes, options.maxInputBytes()));
    }
    boolean isShort = Math.max(inputBytes, options.maxOutputBytes()) < MIN_BYTES_OFF_ENGINE;
    return run(write, HeapTasks::copy, isShort ? Runnable::run : system.executionContext());
  }

  private static byte[] copy(ByteBuffer output) {
    byte[] bytes = new byte[output.remaining()];
    output.get(bytes);
    return bytes;
  }

  private Pair written(Pair pair, Consumer<ByteBuffer> write) {
    Buffer src = pair.src();
    try {
      ByteBuffer view = src.bytes().limit(options.maxInputBytes());
      write.accept(view);
      src.length(view.position());
      return pair;
    } catch (RuntimeException | Error e) {
      pair.release();
      throw e;
    }
  }

  private static <R> R result(Pair done, Function<ByteBuffer, R> read) {
    try {
      return read.apply(done.dst().bytes().clear().limit(done.dst().length()));
    } finally {
      done.release();
    }
  }

  private synchronized boolean admit() {
    accepted += isClosing ? 0 : 1;
    return !isClosing;
  }

  private void ended(@Nullable Pair left) {
    if (left != null) {
      left.release();
    }
    synchronized (this) {
      accepted--;
      finishIfIdle();
    }
  }

  private synchronized void finishIfIdle() {
    if (isClosing && accepted == 0) {
      idle.complete(Done.getInstance());
    }
  }

  /** Returns the number of requests that were sent again after {@link Busy}. */
  public long busyRetries() {
    return sender.busyRetries();
  }

  private static <T> CompletionStage<T> failed(DocaCode code, String why) {
    return CompletableFuture.failedStage(TaskSender.exception(code, why));
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
    return idle.thenCompose(done -> closeBuffers(sender.deadlineNs(), FIRST_CLOSE_DELAY));
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
              if (error.code() != DocaCode.IN_USE || sender.isLate(deadlineNs)) {
                return CompletableFuture.failedStage(new DocaException(error));
              }
              Duration twice = delay.multipliedBy(2);
              Duration next = twice.compareTo(MAX_CLOSE_DELAY) < 0 ? twice : MAX_CLOSE_DELAY;
              return sender.pause(delay).thenCompose(over -> closeBuffers(deadlineNs, next));
            });
  }
}
