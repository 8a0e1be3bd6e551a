package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of the tasks of a batch, by their number from 0. Whoever executes them writes it;
 * whoever gets the reply reads it.
 */
public final class BatchOutcome {
  private final int[] crc32;
  private final int[] checksum;
  private @Nullable DocaError @Nullable [] errors;
  private boolean @Nullable [] retained;
  private int failures;

  /** Of so many tasks, all of which are thought to be done until something else is said. */
  public BatchOutcome(int size) {
    crc32 = new int[size];
    checksum = new int[size];
  }

  /** How many tasks there are. */
  public int size() {
    return crc32.length;
  }

  /** How many of them were not done. */
  public int failures() {
    return failures;
  }

  /** Whether the device has done this one. */
  public boolean isDone(int task) {
    return error(task) == null;
  }

  /** Why it was not done; null when it was. */
  public @Nullable DocaError error(int task) {
    Objects.checkIndex(task, size());
    return errors == null ? null : errors[task];
  }

  /**
   * Whether the device still has this task's buffers, because the deadline passed first: they go
   * back to their pool by themselves, and the receiver must not touch them.
   */
  public boolean isRetained(int task) {
    Objects.checkIndex(task, size());
    return retained != null && retained[task];
  }

  /** As {@link TaskReply.Completed#crc32}. */
  public int crc32(int task) {
    return crc32[task];
  }

  /** As {@link TaskReply.Completed#checksum}. */
  public int checksum(int task) {
    return checksum[task];
  }

  /** The task is done. Before the reply is sent. */
  public void done(int task, int crc, int sum) {
    crc32[task] = crc;
    checksum[task] = sum;
  }

  /** The task is not done. Before the reply is sent, once. */
  public void failed(int task, DocaError error, TaskReply.Ownership ownership) {
    if (errors == null) {
      errors = new @Nullable DocaError[size()];
    }
    errors[task] = error;
    failures++;
    if (ownership == TaskReply.Ownership.RETAINED) {
      if (retained == null) {
        retained = new boolean[size()];
      }
      retained[task] = true;
    }
  }

  @Override
  public String toString() {
    if (errors == null) {
      return size() + " done";
    }
    DocaError first = Arrays.stream(errors).filter(Objects::nonNull).findFirst().orElse(null);
    return "%d done, %d failed: %s".formatted(size() - failures, failures, first);
  }
}
