package io.dpuactors.node;

import io.dpuactors.bridge.UserData;
import org.jspecify.annotations.Nullable;

/**
 * One task that the bridge or the device holds. Preallocated and re-used; the generation tells the
 * uses apart.
 */
final class TaskSlot {
  final int index;
  int generation;
  @Nullable TaskBudget budget;
  @Nullable TaskLane<?> lane;
  @Nullable Object request;
  long sequence;
  long deadlineNs;

  /** The request was answered at its deadline; only its buffers are still out. */
  boolean expired;

  /** Where bytes lie that travel with the task; null: there are none. */
  @Nullable Outbox outbox;

  /** The cell of the {@link #outbox}. */
  int cell;

  /** The neighbours among the tasks of the lane, by deadline; see {@link TaskList}. */
  @Nullable TaskSlot earlier;

  @Nullable TaskSlot later;

  TaskSlot(int index) {
    this.index = index;
  }

  /** What the task travels through the rings as. */
  long userData() {
    return UserData.pack(index, generation);
  }

  /** The task is gone. */
  void clear() {
    if (outbox != null) {
      outbox.release(cell);
      outbox = null;
    }
    generation++;
    budget = null;
    lane = null;
    request = null;
    expired = false;
  }
}
