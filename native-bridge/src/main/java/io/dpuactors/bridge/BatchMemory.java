package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.RingLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** The tasks and results of a {@link TaskBatch}, in memory that the bridge reads and writes. */
final class BatchMemory {
  private static final int CACHE_LINE = 64;

  private final ByteBuffer memory;
  private final int size;

  /** Computed with the first run on a device; 0: not computed. */
  private long address;

  private final BatchResults results;

  /** Argument of the entries; of entries with cells, the address of the first cell. */
  private long argument;

  /** Parameters of the tasks: a cell per entry; null: no run had any. */
  private @Nullable ByteBuffer cells;

  /** Capacity of the smallest destination. */
  private int smallest = Integer.MAX_VALUE;

  /** Computed facts about the buffers; null: not computed. */
  private TaskBatch.@Nullable Fit fit;

  /** The kind whose tasks fit the lengths of the buffers; null: none was checked. */
  private @Nullable TaskKind checked;

  /** Memory of the last context that can use all buffers; null: none was checked. */
  private @Nullable PoolMemory usable;

  BatchMemory(BatchBuffers buffers) {
    size = buffers.size();
    int entryBytes = entry(size);
    memory =
        ByteBuffer.allocateDirect(wholeLines(entryBytes + size * RingLayout.RESULT_BYTES))
            .alignedSlice(CACHE_LINE)
            .order(ByteOrder.nativeOrder());
    results = new BatchResults(memory, entryBytes, size);
    memory.putInt(RingLayout.BATCH_COUNT, size);
    for (int task = 0; task < buffers.sources().size(); task++) {
      writeSource(task, buffers.sources().get(task));
    }
    for (int task = 0; task < buffers.destinations().size(); task++) {
      writeDestination(task, buffers.destinations().get(task));
    }
  }

  /** The slice is aligned at both ends; one more line allows for its beginning. */
  private static int wholeLines(int bytes) {
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE + CACHE_LINE;
  }

  static int entry(int task) {
    return RingLayout.BATCH_BYTES + task * RingLayout.ENTRY_BYTES;
  }

  private void writeSource(int task, Buffer src) {
    int at = entry(task);
    memory.putLong(at + RingLayout.ENTRY_SRC_BUF, src.pointer());
    memory.putLong(at + RingLayout.ENTRY_SRC_ADDR, src.address());
    memory.putLong(at + RingLayout.ENTRY_SRC_LEN, src.length());
  }

  private void writeDestination(int task, Buffer dst) {
    int at = entry(task);
    memory.putLong(at + RingLayout.ENTRY_DST_BUF, dst.pointer());
    memory.putLong(at + RingLayout.ENTRY_DST_ADDR, dst.address());
    smallest = Math.min(smallest, dst.capacity());
  }

  /** Prepares the next run. */
  void begin() {
    memory.putInt(RingLayout.BATCH_NEXT, 0);
    memory.putInt(RingLayout.BATCH_ENDED, 0);
    memory.putInt(RingLayout.BATCH_FAILURES, 0);
  }

  /** Sets the maximum number of tasks in flight. */
  void limit(int tasks) {
    memory.putInt(RingLayout.BATCH_LIMIT, tasks);
  }

  /** Makes the next run pass this task and all later ones to DOCA again. */
  void forget(int task) {
    int prepared = memory.getInt(RingLayout.BATCH_PREPARED);
    memory.putInt(RingLayout.BATCH_PREPARED, Math.min(prepared, task));
  }

  /** Sets the argument of all entries. */
  void argument(long value) {
    if (value != argument) {
      arguments(value, 0);
    }
  }

  private void arguments(long first, int step) {
    argument = first;
    for (int task = 0; task < size; task++) {
      memory.putLong(entry(task) + RingLayout.ENTRY_ARGUMENT, first + (long) task * step);
    }
    forget(0);
  }

  /** Makes the argument of each entry the address of a cell, and returns all cells. */
  ByteBuffer cells() {
    ByteBuffer all = cells;
    if (all == null) {
      all = ByteBuffer.allocateDirect(size * TaskBatch.CELL_BYTES).order(ByteOrder.nativeOrder());
      cells = all;
    }
    arguments(DpuBridge.address(all), TaskBatch.CELL_BYTES);
    return all;
  }

  /** Returns the argument of the first entry. */
  long argument() {
    return argument;
  }

  long sourceLength(int task) {
    return memory.getLong(entry(task) + RingLayout.ENTRY_SRC_LEN);
  }

  void sourceLength(int task, int bytes) {
    memory.putLong(entry(task) + RingLayout.ENTRY_SRC_LEN, bytes);
    forget(task);
    fit = null;
    checked = null;
  }

  TaskBatch.Fit fit() {
    TaskBatch.Fit known = fit;
    if (known == null) {
      known = computeFit();
      fit = known;
    }
    return known;
  }

  private TaskBatch.Fit computeFit() {
    long longest = 0;
    int empty = -1;
    for (int task = size - 1; task >= 0; task--) {
      long length = sourceLength(task);
      longest = Math.max(longest, length);
      empty = length == 0 ? task : empty;
    }
    return new TaskBatch.Fit(longest, empty, smallest);
  }

  /** Notes that the lengths of the buffers suit tasks of a kind. */
  void checked(TaskKind kind) {
    checked = kind;
  }

  boolean isChecked(TaskKind kind) {
    return checked == kind;
  }

  /** Returns a buffer that contexts of the device of this memory cannot use, or null. */
  @Nullable Buffer foreign(BatchBuffers buffers, PoolMemory ofContext) {
    Buffer foreign = usable == ofContext ? null : buffers.foreign(ofContext);
    usable = foreign == null ? ofContext : null;
    return foreign;
  }

  BatchResults results() {
    return results;
  }

  /** Returns the address for the bridge; valid while this object is reachable. */
  long address() {
    if (address == 0) {
      address = DpuBridge.address(memory);
    }
    return address;
  }
}
