package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DpuBridge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that go to the device together, as often as wanted: task {@code i} reads source {@code i}
 * and writes destination {@code i}. What each needs is written down once, in memory that the bridge
 * reads, so that a run costs one entry and one record, however many tasks there are; the bridge
 * submits them in order, each from the callback of one that has ended.
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
public final class TaskBatch {
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
  private final BatchBuffers buffers;
  private final ByteBuffer memory;
  private final long address;
  private final BatchResults results;

  /**
   * Whether something else may use its buffers between two runs: then DOCA is told of each source
   * in each run, and each destination is given its length when a run has ended.
   */
  private volatile boolean shared;

  /** Runs that have ended; tells buffers whether they know their length. */
  private int runs;

  /** What was found out about the sources; null: to be looked for. */
  private @Nullable Fit fit;

  /** About the sources: the longest, the first that is empty, the first beyond its destination. */
  private record Fit(long longest, int empty, int beyond) {}

  private TaskBatch(BatchBuffers buffers) {
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
    for (int task = 0; task < size; task++) {
      write(task);
    }
  }

  /** An aligned slice ends with a whole line, too; one more is for its beginning. */
  private static int wholeLines(int bytes) {
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE + CACHE_LINE;
  }

  /**
   * Makes a batch of buffers whose sources have their content already, or will be given its {@link
   * #sourceLength}. Lends all of them.
   *
   * @param sources leased, without chains
   * @param destinations as many, others than the sources
   * @throws IllegalArgumentException when there are none, too many, not as many of both, a chain,
   *     or one that is source and destination of its task; nothing was lent
   * @throws IllegalStateException when one is not leased; nothing was lent
   */
  public static TaskBatch of(List<Buffer> sources, List<Buffer> destinations) {
    TaskBatch batch = new TaskBatch(BatchBuffers.lend(sources, destinations));
    batch.buffers.join(batch);
    return batch;
  }

  private void write(int task) {
    int at = entry(task);
    Buffer src = buffers.sources().get(task);
    Buffer dst = buffers.destinations().get(task);
    memory.putLong(at + RingLayout.ENTRY_SRC_BUF, src.pointer());
    memory.putLong(at + RingLayout.ENTRY_SRC_ADDR, src.address());
    memory.putLong(at + RingLayout.ENTRY_SRC_LEN, src.length());
    memory.putLong(at + RingLayout.ENTRY_DST_BUF, dst.pointer());
    memory.putLong(at + RingLayout.ENTRY_DST_ADDR, dst.address());
  }

  private static int entry(int task) {
    return RingLayout.BATCH_BYTES + task * RingLayout.ENTRY_BYTES;
  }

  /** How many tasks there are. */
  public int size() {
    return buffers.size();
  }

  /** The inputs, as they were given. */
  public List<Buffer> sources() {
    return buffers.sources();
  }

  /**
   * The outputs, as they were given; the length of each is what its task has written, 0 when it was
   * not done.
   */
  public List<Buffer> destinations() {
    return buffers.destinations();
  }

  /**
   * Says how much of a source is its content from the next run on.
   *
   * @param bytes 0 to its capacity
   * @throws IllegalStateException while it runs, or once it is closed
   */
  public void sourceLength(int task, int bytes) {
    if (state.get() != State.IDLE) {
      throw new IllegalStateException("sourceLength: " + this);
    }
    Buffer source = buffers.sources().get(task);
    source.setWritten(bytes);
    memory.putLong(entry(task) + RingLayout.ENTRY_SRC_LEN, bytes);
    int prepared = memory.getInt(RingLayout.BATCH_PREPARED);
    memory.putInt(RingLayout.BATCH_PREPARED, Math.min(prepared, task));
    fit = null;
  }

  /** The longest of the sources, in bytes. */
  public long longestSource() {
    return fit().longest;
  }

  /** The first task whose source is empty; -1: none. */
  public int firstEmpty() {
    return fit().empty;
  }

  /** The first task whose source does not fit into its destination; -1: none. */
  public int firstBeyond() {
    return fit().beyond;
  }

  private Fit fit() {
    Fit known = fit;
    if (known == null) {
      known = look();
      fit = known;
    }
    return known;
  }

  private Fit look() {
    long longest = 0;
    int empty = -1;
    int beyond = -1;
    for (int task = size() - 1; task >= 0; task--) {
      long length = memory.getLong(entry(task) + RingLayout.ENTRY_SRC_LEN);
      longest = Math.max(longest, length);
      empty = length == 0 ? task : empty;
      beyond = length > buffers.destinations().get(task).capacity() ? task : beyond;
    }
    return new Fit(longest, empty, beyond);
  }

  /** A run begins: from now on it is the engine's. False when it is running, or closed. */
  public boolean begin() {
    if (!state.compareAndSet(State.IDLE, State.RUNNING)) {
      return false;
    }
    memory.putInt(RingLayout.BATCH_NEXT, 0);
    memory.putInt(RingLayout.BATCH_ENDED, 0);
    memory.putInt(RingLayout.BATCH_FAILURES, 0);
    if (shared) {
      memory.putInt(RingLayout.BATCH_PREPARED, 0);
    }
    return true;
  }

  /** The run has ended: the device has let go of it. Engine's thread. */
  public void end() {
    if (!state.compareAndSet(State.RUNNING, State.IDLE)) {
      giveBack();
    }
  }

  /** Each destination has the length that its task has written; before {@link #end}. */
  public void written() {
    runs++;
    for (int task = 0; shared && task < size(); task++) {
      buffers.destinations().get(task).setWritten(results.produced(task));
    }
  }

  /** Changes whenever the lengths of destinations do. */
  int runs() {
    return runs;
  }

  /** Something else was lent one of its buffers. */
  void share() {
    shared = true;
  }

  /**
   * Its requester has lost it: with the end of the run all of its buffers go back by themselves.
   */
  public void retain() {
    state.compareAndSet(State.RUNNING, State.ABANDONED);
    buffers.abandon();
  }

  /**
   * Its buffers are their holder's alone again. Idempotent.
   *
   * @throws IllegalStateException while it runs
   */
  public void close() {
    if (state.compareAndSet(State.IDLE, State.CLOSED)) {
      buffers.comeBack(this);
    } else if (state.get() == State.RUNNING) {
      throw new IllegalStateException("close: " + this);
    }
  }

  /** Its holder has ended: closes it, now or when its run has ended. */
  void abandon() {
    if (state.compareAndSet(State.IDLE, State.CLOSED)) {
      buffers.comeBack(this);
    } else {
      state.compareAndSet(State.RUNNING, State.ABANDONED);
    }
  }

  private void giveBack() {
    if (state.compareAndSet(State.ABANDONED, State.CLOSED)) {
      buffers.comeBack(this);
    }
  }

  /** What came of the tasks of the last run. */
  public BatchResults results() {
    return results;
  }

  /** Where the bridge finds it; valid while this can be reached. */
  long address() {
    return address;
  }

  @Override
  public String toString() {
    return "batch of " + size() + " tasks (" + state + ")";
  }
}
