package io.dpuactors.bridge;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of which each reads one buffer and writes another: task {@code i} reads source {@code i}
 * and writes destination {@code i}. For contexts of DMA and compress.
 */
public final class TaskBatch extends Batch {
  /** What was found out about the sources; null: to be looked for. */
  private @Nullable Fit fit;

  /** About the sources: the longest, the first that is empty, the first beyond its destination. */
  private record Fit(long longest, int empty, int beyond) {}

  private TaskBatch(BatchBuffers buffers) {
    super(buffers);
    for (int task = 0; task < size(); task++) {
      writeSource(task, buffers.sources().get(task));
      writeDestination(task, buffers.destinations().get(task));
    }
    this.fit = look();
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
    TaskBatch batch = new TaskBatch(BatchBuffers.lendPairs(sources, destinations));
    batch.join();
    return batch;
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
    if (!isIdle()) {
      throw new IllegalStateException("sourceLength: " + this);
    }
    Buffer source = buffers.sources().get(task);
    source.setWritten(bytes);
    memory.putLong(entry(task) + RingLayout.ENTRY_SRC_LEN, bytes);
    forget(task);
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
}
