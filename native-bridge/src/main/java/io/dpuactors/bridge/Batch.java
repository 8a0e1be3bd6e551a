package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.RingLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of one kind that are submitted together, in any number of runs. The batch describes its
 * tasks once, in memory that the bridge reads. A run therefore costs one entry and one record for
 * any number of tasks. The bridge submits the tasks in order, from the callbacks of completed
 * tasks.
 *
 * <pre>
 *   IDLE --begin--> RUNNING --end--> IDLE          any number of times
 *    |                 |
 *  close            abandon
 *    v                 v
 *   CLOSED <--end-- ABANDONED                      the device finishes the run first
 * </pre>
 *
 * <p>The batch borrows its buffers from its creation until it is closed. They stay leased. Between
 * runs, their holder may read and write them; after {@link #close} the holder releases them. A
 * {@link LeaseScope} that ends closes its batches.
 *
 * <p>Thread: any, but one at a time; the engine's thread during a run.
 */
public abstract sealed class Batch implements Carried permits TaskBatch, ReceiveBatch, SendBatch {
  /** Maximum number of tasks of one batch. */
  public static final int MAX_TASKS = 65_536;

  private static final int CACHE_LINE = 64;

  private enum State {
    IDLE,
    RUNNING,
    ABANDONED,
    CLOSED
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
  final BatchBuffers buffers;
  final ByteBuffer memory;
  private final long address;
  private final BatchResults results;

  /**
   * Whether another user may use the buffers between two runs. Each run then passes all buffers to
   * DOCA again, and sets the length of each destination at its end.
   */
  private volatile boolean shared;

  /** The message that carries this batch to its holder; null once the batch runs again. */
  private volatile @Nullable Object message;

  /** The last message that carried this batch to a holder who has accessed the batch since. */
  private @Nullable Object received;

  /** Number of ended runs; shows buffers whether their length is current. */
  private int runs;

  Batch(BatchBuffers buffers) {
    this.buffers = buffers;
    this.shared = buffers.areLentAlready();
    int size = buffers.size();
    int entryBytes = RingLayout.BATCH_BYTES + size * RingLayout.ENTRY_BYTES;
    this.memory =
        ByteBuffer.allocateDirect(wholeLines(entryBytes + size * RingLayout.RESULT_BYTES))
            .alignedSlice(CACHE_LINE)
            .order(ByteOrder.nativeOrder());
    this.results = new BatchResults(memory, entryBytes, size);
    this.address = DpuBridge.address(memory);
    memory.putInt(RingLayout.BATCH_COUNT, size);
  }

  /** The slice is aligned at both ends; one more line allows for its beginning. */
  private static int wholeLines(int bytes) {
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE + CACHE_LINE;
  }

  static int entry(int task) {
    return RingLayout.BATCH_BYTES + task * RingLayout.ENTRY_BYTES;
  }

  final void writeSource(int task, Buffer src) {
    int at = entry(task);
    memory.putLong(at + RingLayout.ENTRY_SRC_BUF, src.pointer());
    memory.putLong(at + RingLayout.ENTRY_SRC_ADDR, src.address());
    memory.putLong(at + RingLayout.ENTRY_SRC_LEN, src.length());
  }

  final void writeDestination(int task, Buffer dst) {
    int at = entry(task);
    memory.putLong(at + RingLayout.ENTRY_DST_BUF, dst.pointer());
    memory.putLong(at + RingLayout.ENTRY_DST_ADDR, dst.address());
  }

  /** Registers this batch with its buffers; the last step of its creation. */
  final void join() {
    buffers.join(this);
  }

  /** Returns the number of tasks. */
  public final int size() {
    return buffers.size();
  }

  /** Returns whether the holder may run, change or close this batch. */
  final boolean isIdle() {
    return state.get() == State.IDLE;
  }

  /**
   * Begins a run, during which the engine owns this batch. Returns false if it runs or is closed.
   */
  public final boolean begin() {
    if (!state.compareAndSet(State.IDLE, State.RUNNING)) {
      return false;
    }
    message = null;
    memory.putInt(RingLayout.BATCH_NEXT, 0);
    memory.putInt(RingLayout.BATCH_ENDED, 0);
    memory.putInt(RingLayout.BATCH_FAILURES, 0);
    if (shared) {
      forget(0);
    }
    return true;
  }

  /** Makes the next run pass this task and all later ones to DOCA again. */
  final void forget(int task) {
    int prepared = memory.getInt(RingLayout.BATCH_PREPARED);
    memory.putInt(RingLayout.BATCH_PREPARED, Math.min(prepared, task));
  }

  /** Ends the run: the device no longer accesses this batch. Engine's thread. */
  public final void end() {
    if (!state.compareAndSet(State.RUNNING, State.IDLE)
        && state.compareAndSet(State.ABANDONED, State.CLOSED)) {
      buffers.returnLoan(this);
    }
  }

  /** Sets the length of each destination to what its task has written; call before {@link #end}. */
  public final void written() {
    runs++;
    if (shared) {
      buffers.written(results);
    }
  }

  /** Returns a number that changes with the lengths of the destinations. */
  final int runs() {
    return runs;
  }

  /** Notes that another user borrowed one of the buffers. */
  final void share() {
    shared = true;
  }

  /**
   * Gives up this batch without a holder: the end of the run returns all buffers to their pools.
   */
  public final void retain() {
    state.compareAndSet(State.RUNNING, State.ABANDONED);
    buffers.abandon();
  }

  /**
   * Returns the borrowed buffers to their holder. Idempotent.
   *
   * @throws IllegalStateException during a run
   */
  public final void close() {
    if (state.compareAndSet(State.IDLE, State.CLOSED)) {
      buffers.returnLoan(this);
    } else if (state.get() == State.RUNNING) {
      throw new IllegalStateException("close: " + this);
    }
  }

  @Override
  public final void sentIn(Object carrier) {
    if (isIdle()) {
      message = carrier;
    }
  }

  @Override
  public final void releaseIfSentIn(Object carrier) {
    if (message == carrier && state.compareAndSet(State.IDLE, State.CLOSED)) {
      buffers.abandon();
      buffers.returnLoan(this);
    }
  }

  /** Returns whether this batch is in no request and in no answer. */
  final boolean isInHand() {
    return isIdle() && received == message;
  }

  final @Nullable Object message() {
    return message;
  }

  /** Closes this batch unless it runs, or another message has carried it. */
  final void closeIfUnsent(@Nullable Object last) {
    if (message == last && state.compareAndSet(State.IDLE, State.CLOSED)) {
      buffers.returnLoan(this);
    }
  }

  /** Closes this batch because its holder has ended: now, or at the end of its run. */
  final void abandon() {
    if (state.compareAndSet(State.IDLE, State.CLOSED)) {
      buffers.returnLoan(this);
    } else {
      state.compareAndSet(State.RUNNING, State.ABANDONED);
    }
  }

  /** Returns the results of the last run. */
  public final BatchResults results() {
    received = message;
    return results;
  }

  /** Returns the address for the bridge; valid while this batch is reachable. */
  public final long address() {
    return address;
  }

  @Override
  public String toString() {
    return "batch of " + size() + " tasks (" + state + ")";
  }
}
