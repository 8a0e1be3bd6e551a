package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.RingLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that each read one buffer and write another: task {@code i} reads source {@code i} and
 * writes destination {@code i}. For contexts of DMA and compress.
 */
public final class TaskBatch extends Batch {
  /** Computed facts about the sources; null: not computed. */
  private @Nullable Fit fit;

  /**
   * Facts about the sources: the longest, the first empty one, the first larger than its
   * destination.
   */
  private record Fit(long longest, int empty, int beyond) {}

  private TaskBatch(BatchBuffers buffers) {
    super(buffers);
    for (int task = 0; task < size(); task++) {
      writeSource(task, buffers.sources().get(task));
      writeDestination(task, buffers.destinations().get(task));
    }
    this.fit = computeFit();
  }

  /**
   * Creates a batch. Its sources have their content already, or {@link #sourceLength} sets it.
   * Lends all of its buffers.
   *
   * @param sources leased, without chains
   * @param destinations one per source, different from all sources
   * @throws IllegalArgumentException when there are none or too many, the numbers differ, one is in
   *     a chain, or one is source and destination of its task; nothing was lent
   * @throws IllegalStateException when one is not leased; nothing was lent
   */
  public static TaskBatch of(List<Buffer> sources, List<Buffer> destinations) {
    TaskBatch batch = new TaskBatch(BatchBuffers.lendPairs(sources, destinations));
    batch.join();
    return batch;
  }

  /** Returns the inputs in their given order. */
  public List<Buffer> sources() {
    return buffers.sources();
  }

  /**
   * Returns the outputs in their given order; the length of each is what its task has written, 0 if
   * the task failed.
   */
  public List<Buffer> destinations() {
    return buffers.destinations();
  }

  /**
   * Sets the content length of a source for the next runs.
   *
   * @param bytes 0 to its capacity
   * @throws IllegalStateException during a run, or after {@link #close}
   */
  public void sourceLength(int task, int bytes) {
    if (!isIdle()) {
      throw new IllegalStateException("sourceLength: " + this);
    }
    Buffer source = buffers.sources().get(task);
    source.setWritten(bytes);
    memory.putLong(entry(task) + RingLayout.ENTRY_SRC_LEN, bytes);
    forget(task);
    fit = null;
  }

  /** Returns the length of the longest source, in bytes. */
  public long longestSource() {
    return fit().longest;
  }

  /** Returns the first task with an empty source; -1: none. */
  public int firstEmpty() {
    return fit().empty;
  }

  /** Returns the first task whose source does not fit into its destination; -1: none. */
  public int firstBeyond() {
    return fit().beyond;
  }

  private Fit fit() {
    Fit known = fit;
    if (known == null) {
      known = computeFit();
      fit = known;
    }
    return known;
  }

  private Fit computeFit() {
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
}
