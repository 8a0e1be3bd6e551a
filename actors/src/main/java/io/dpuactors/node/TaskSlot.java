package io.dpuactors.node;

import io.dpuactors.bridge.UserData;
import org.jspecify.annotations.Nullable;

/**
 * One task that the device holds. Preallocated and re-used; the generation tells the uses apart.
 */
final class TaskSlot {
  final int index;
  int generation;
  @Nullable TaskLane<?> lane;
  @Nullable Object request;
  long sequence;
  long deadlineNs;

  /** The request was answered at its deadline; only its buffers are still out. */
  boolean expired;

  TaskSlot(int index) {
    this.index = index;
  }

  /** What the task travels through the rings as. */
  long userData() {
    return UserData.pack(index, generation);
  }
}
