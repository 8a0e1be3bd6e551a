package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.RingLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Results of the tasks of a {@link TaskBatch} in its last run, by task number from 0. The bridge
 * writes them; they are valid until the next run. Allocates only errors. Thread: the batch's.
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

  /** Returns the number of failed tasks. */
  public int failures() {
    return memory.getInt(RingLayout.BATCH_FAILURES);
  }

  /**
   * Returns the number of tasks that have ended. May be called during the run, preferably on the
   * engine's thread.
   */
  public int ended() {
    return memory.getInt(RingLayout.BATCH_ENDED);
  }

  /** Returns the number of tasks that the device holds. Engine's thread. */
  public int inFlight() {
    return memory.getInt(RingLayout.BATCH_NEXT) - ended();
  }

  /** Returns whether this task succeeded. */
  public boolean isDone(int task) {
    return outcome(task) >= 0;
  }

  /** Returns the error of this task; null if it succeeded. */
  public @Nullable DocaError error(int task) {
    return isDone(task)
        ? null
        : DocaError.of(
            "doca_task", (int) -outcome(task), "task " + task + " of a batch of " + size);
  }

  /** Replaces the code of all tasks that ended with the reported code by the reason. */
  public void correct(DocaCode reported, DocaCode reason) {
    for (int task = 0; failures() > 0 && task < size; task++) {
      if (outcome(task) == -reported.value()) {
        memory.putLong(at(task) + RingLayout.RESULT_OUTCOME, -reason.value());
      }
    }
  }

  /**
   * Writes the result of a successful task, for a device in Java. The bridge writes those of DOCA's
   * devices.
   */
  public void done(int task, long produced, int crc32, int checksum) {
    write(task, produced, crc32, checksum);
  }

  /** Writes the result of a failed task, for a device in Java. */
  public void failed(int task, DocaCode code) {
    write(task, -code.value(), 0, 0);
    memory.putInt(RingLayout.BATCH_FAILURES, failures() + 1);
  }

  private void write(int task, long outcome, int checksum0, int checksum1) {
    memory.putLong(at(task) + RingLayout.RESULT_OUTCOME, outcome);
    memory.putInt(at(task) + RingLayout.RESULT_CHECKSUM0, checksum0);
    memory.putInt(at(task) + RingLayout.RESULT_CHECKSUM1, checksum1);
    memory.putInt(RingLayout.BATCH_ENDED, ended() + 1);
  }

  /** Returns the number of bytes that this task has written; 0 if it failed. */
  public long produced(int task) {
    return Math.max(0, outcome(task));
  }

  /** Returns the number of bytes written, or the negative error code. */
  private long outcome(int task) {
    return memory.getLong(at(task) + RingLayout.RESULT_OUTCOME);
  }

  /** Returns the CRC-32 of the uncompressed bytes of this task; 0 for kinds without one. */
  public int crc32(int task) {
    return memory.getInt(at(task) + RingLayout.RESULT_CHECKSUM0);
  }

  /**
   * Returns the Adler-32 or xxHash-32 of the uncompressed bytes of this task; 0 for kinds without
   * one.
   */
  public int checksum(int task) {
    return memory.getInt(at(task) + RingLayout.RESULT_CHECKSUM1);
  }

  /** Returns the id of the producer that filled this destination; 0 if none did. */
  public int producer(int task) {
    return isDone(task) ? crc32(task) : 0;
  }

  /** Returns the 0 to 32 bytes of immediate data received with this destination. */
  public byte[] immediate(int task) {
    int length = isDone(task) ? checksum(task) : 0;
    byte[] bytes = new byte[Math.min(length, RingLayout.IMMEDIATE_BYTES)];
    memory.get(BatchMemory.entry(task), bytes);
    return bytes;
  }

  /** Returns the first failed task; -1 if all succeeded. */
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
