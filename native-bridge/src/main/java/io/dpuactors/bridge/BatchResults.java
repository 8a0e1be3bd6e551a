package io.dpuactors.bridge;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of the tasks of a {@link Batch} in its last run, by their number from 0; written by the
 * bridge, and valid until the next run. Allocates nothing but errors. Thread: the batch's.
 */
public final class BatchResults {
  private final ByteBuffer memory;
  private final int begin;
  private final int size;

  BatchResults(ByteBuffer memory, int begin, int size) {
    this.memory = memory;
    this.begin = begin;
    this.size = size;
  }

  private int at(int task) {
    return begin + Objects.checkIndex(task, size) * RingLayout.RESULT_BYTES;
  }

  /** How many tasks were not done. */
  public int failures() {
    return memory.getInt(RingLayout.BATCH_FAILURES);
  }

  /**
   * How many tasks have ended so far. May be asked while the batch runs, best on the engine's
   * thread.
   */
  public int ended() {
    return memory.getInt(RingLayout.BATCH_ENDED);
  }

  /** Whether the device has done this task. */
  public boolean isDone(int task) {
    return outcome(task) >= 0;
  }

  /** Why this task was not done; null when it was. */
  public @Nullable DocaError error(int task) {
    return isDone(task)
        ? null
        : DocaError.of(
            "doca_task", (int) -outcome(task), "task " + task + " of a batch of " + size);
  }

  /** Tasks that ended with the reported code have the reason as theirs from now on. */
  public void correct(DocaCode reported, DocaCode reason) {
    for (int task = 0; failures() > 0 && task < size; task++) {
      if (outcome(task) == -reported.value()) {
        memory.putLong(at(task) + RingLayout.RESULT_OUTCOME, -reason.value());
      }
    }
  }

  /** Bytes that this task has written; 0 when it was not done. */
  public long produced(int task) {
    return Math.max(0, outcome(task));
  }

  /** Bytes written, or below 0 the negative code of why not. */
  private long outcome(int task) {
    return memory.getLong(at(task) + RingLayout.RESULT_OUTCOME);
  }

  /** CRC-32 of the uncompressed bytes of this task; 0 for kinds that have none. */
  public int crc32(int task) {
    return memory.getInt(at(task) + RingLayout.RESULT_CHECKSUM0);
  }

  /** Adler-32 or xxHash-32 of the uncompressed bytes of this task; 0 for kinds that have none. */
  public int checksum(int task) {
    return memory.getInt(at(task) + RingLayout.RESULT_CHECKSUM1);
  }

  /** The first task that was not done; -1: all were. */
  public int firstFailure() {
    for (int task = 0; failures() > 0 && task < size; task++) {
      if (!isDone(task)) {
        return task;
      }
    }
    return -1;
  }

  @Override
  public String toString() {
    int first = firstFailure();
    return first < 0
        ? size + " done"
        : "%d done, %d failed: %s".formatted(size - failures(), failures(), error(first));
  }
}
