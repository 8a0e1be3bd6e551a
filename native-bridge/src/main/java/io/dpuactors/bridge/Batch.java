package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DpuBridge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of one kind that go to the device together, as often as wanted. What each needs is written
 * down once, in memory that the bridge reads, so that a run costs one entry and one record, however
 * many tasks there are; the bridge submits them in order, each from the callback of one that has
 * ended.
 *
 * <pre>
 *   IDLE --begin--> RUNNING --end--> IDLE          as often as wanted
 *    |                 |
 *  close            abandon
 *    v                 v
 *   CLOSED <--end-- ABANDONED                      the device lets go of it first
 * </pre>
 *
 * <p>The buffers are lent to the batch from its making until it is closed: they stay leased, their
 * holder may read and write them while no run is under way, and gives them back after {@link
 * #close}. A holder that ends closes its batches, see {@link LeaseScope}.
 *
 * <p>Thread: any, but one at a time; while it runs it belongs to the engine.
 */
public abstract sealed class Batch implements Carried permits TaskBatch, ReceiveBatch, SendBatch {
  /** Most tasks of one batch. */
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
   * Whether something else may use its buffers between two runs: then DOCA is told of each of them
   * in each run, and each destination is given its length when a run has ended.
   */
  private volatile boolean shared;

  /** The message that carries it to its holder; null once it runs again. */
  private volatile @Nullable Object message;

  /** The last message that carried it to a holder who has looked at it since. */
  private @Nullable Object received;

  /** Runs that have ended; tells buffers whether they know their length. */
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

  /** An aligned slice ends with a whole line, too; one more is for its beginning. */
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

  /** Its buffers know of it: the end of its making. */
  final void join() {
    buffers.join(this);
  }

  /** How many tasks there are. */
  public final int size() {
    return buffers.size();
  }

  /** Whether it is its holder's, to be run, changed or closed. */
  final boolean isIdle() {
    return state.get() == State.IDLE;
  }

  /** A run begins: from now on it is the engine's. False when it is running, or closed. */
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

  /** DOCA is to be told of this task anew in the next run, and of those behind it. */
  final void forget(int task) {
    int prepared = memory.getInt(RingLayout.BATCH_PREPARED);
    memory.putInt(RingLayout.BATCH_PREPARED, Math.min(prepared, task));
  }

  /** The run has ended: the device has let go of it. Engine's thread. */
  public final void end() {
    if (!state.compareAndSet(State.RUNNING, State.IDLE)
        && state.compareAndSet(State.ABANDONED, State.CLOSED)) {
      buffers.comeBack(this);
    }
  }

  /** Each destination has the length that its task has written; before {@link #end}. */
  public final void written() {
    runs++;
    if (shared) {
      buffers.written(results);
    }
  }

  /** Changes whenever the lengths of destinations do. */
  final int runs() {
    return runs;
  }

  /** Something else was lent one of its buffers. */
  final void share() {
    shared = true;
  }

  /**
   * Its requester has lost it: with the end of the run all of its buffers go back by themselves.
   */
  public final void retain() {
    state.compareAndSet(State.RUNNING, State.ABANDONED);
    buffers.abandon();
  }

  /**
   * Its buffers are their holder's alone again. Idempotent.
   *
   * @throws IllegalStateException while it runs
   */
  public final void close() {
    if (state.compareAndSet(State.IDLE, State.CLOSED)) {
      buffers.comeBack(this);
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
      buffers.comeBack(this);
    }
  }

  /** Whether neither a request nor an answer has it. */
  final boolean isInHand() {
    return isIdle() && received == message;
  }

  final @Nullable Object message() {
    return message;
  }

  /** Closes it unless it runs, or another message has carried it. */
  final void closeIfUnsent(@Nullable Object last) {
    if (message == last && state.compareAndSet(State.IDLE, State.CLOSED)) {
      buffers.comeBack(this);
    }
  }

  /** Its holder has ended: closes it, now or when its run has ended. */
  final void abandon() {
    if (state.compareAndSet(State.IDLE, State.CLOSED)) {
      buffers.comeBack(this);
    } else {
      state.compareAndSet(State.RUNNING, State.ABANDONED);
    }
  }

  /** What came of the tasks of the last run. */
  public final BatchResults results() {
    received = message;
    return results;
  }

  /** Where the bridge finds it; valid while this can be reached. */
  final long address() {
    return address;
  }

  @Override
  public String toString() {
    return "batch of " + size() + " tasks (" + state + ")";
  }
}
