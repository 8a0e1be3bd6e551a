package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DpuBridge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that a consumer posts, or a producer sends, together and in order, as often as wanted.
 * Where they are is written down in memory that the bridge reads, so that a run costs one entry and
 * one record, however many buffers there are; the bridge submits each further one from the callback
 * of one that has ended.
 *
 * <p>A run lends the buffers from {@link #begin} to {@link #end}; what came of it is there until
 * the next. Thread: any, but one at a time; while it runs it belongs to the engine.
 */
public abstract sealed class DataBatch permits ReceiveBatch, SendBatch {
  /** Most buffers of one batch. */
  public static final int MAX_BUFFERS = TaskBatch.MAX_TASKS;

  private static final int CACHE_LINE = 64;

  private final List<Buffer> buffers;
  final ByteBuffer memory;
  private final long address;
  final BatchResults results;
  private final AtomicBoolean runs = new AtomicBoolean();

  DataBatch(List<Buffer> all) {
    this.buffers = check(all);
    int entryBytes = RingLayout.BATCH_BYTES + buffers.size() * RingLayout.ENTRY_BYTES;
    int bytes = entryBytes + buffers.size() * RingLayout.RESULT_BYTES;
    this.memory =
        ByteBuffer.allocateDirect((bytes / CACHE_LINE + 2) * CACHE_LINE)
            .alignedSlice(CACHE_LINE)
            .order(ByteOrder.nativeOrder());
    this.results = new BatchResults(memory, entryBytes, buffers.size());
    this.address = DpuBridge.address(memory);
    memory.putInt(RingLayout.BATCH_COUNT, buffers.size());
  }

  private static List<Buffer> check(List<Buffer> buffers) {
    List<Buffer> all = List.copyOf(buffers);
    if (all.isEmpty() || all.size() > MAX_BUFFERS || new HashSet<>(all).size() < all.size()) {
      throw new IllegalArgumentException(
          "a batch of %d buffers: 1 to %d, each once".formatted(all.size(), MAX_BUFFERS));
    }
    for (Buffer buffer : all) {
      if (!buffer.isLeased() || buffer.isBehindAnother() || buffer.elements() > 1) {
        throw new IllegalArgumentException(buffer + " is not leased, or in a chain");
      }
    }
    return all;
  }

  static int entry(int index) {
    return RingLayout.BATCH_BYTES + index * RingLayout.ENTRY_BYTES;
  }

  /** How many buffers there are. */
  public final int size() {
    return buffers.size();
  }

  /** As they were given. */
  public final List<Buffer> buffers() {
    return buffers;
  }

  /**
   * A run begins: the buffers are lent, and the batch is the engine's.
   *
   * @return false when it is running, or a buffer is not leased any more; nothing was done
   */
  public final boolean begin() {
    if (!runs.compareAndSet(false, true)) {
      return false;
    }
    for (int i = 0; i < buffers.size(); i++) {
      if (!buffers.get(i).lend()) {
        buffers.subList(0, i).forEach(Lease::comeBack);
        runs.set(false);
        return false;
      }
    }
    for (int i = 0; i < buffers.size(); i++) {
      write(entry(i), buffers.get(i));
    }
    memory.putInt(RingLayout.BATCH_NEXT, 0);
    memory.putInt(RingLayout.BATCH_ENDED, 0);
    memory.putInt(RingLayout.BATCH_FAILURES, 0);
    return true;
  }

  /** Writes down where a buffer is, which is lent by now. */
  abstract void write(int entry, Buffer buffer);

  /** The run has ended: the device has let go of it. Engine's thread. */
  public final void end() {
    runs.set(false);
    buffers.forEach(Lease::comeBack);
  }

  /** Its holder has lost it: with the end of the run its buffers go back by themselves. */
  public final void abandon() {
    buffers.forEach(Lease::abandon);
  }

  /** How many buffers were not filled, or not sent. */
  public final int failures() {
    return results.failures();
  }

  /** The first buffer that was not filled, or not sent; -1: all were. */
  public final int firstFailure() {
    return results.firstFailure();
  }

  /** Why this buffer was not filled, or not sent; null when it was. */
  public final @Nullable DocaError error(int index) {
    return results.error(index);
  }

  /** As {@link BatchResults#correct}. */
  public final void correct(DocaCode reported, DocaCode reason) {
    results.correct(reported, reason);
  }

  /** Where the bridge finds it; valid while this can be reached. */
  final long address() {
    return address;
  }

  @Override
  public String toString() {
    return "batch of " + size() + " buffers" + (runs.get() ? " (posted)" : "");
  }
}
