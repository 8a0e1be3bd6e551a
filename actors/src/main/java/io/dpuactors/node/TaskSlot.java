package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.internal.UserData;
import org.jspecify.annotations.Nullable;

/**
 * One task that the bridge or the device holds. Preallocated and reused; the generation
 * distinguishes the uses.
 */
final class TaskSlot {
  final int index;
  int generation;
  @Nullable TaskBudget budget;
  @Nullable TaskLane<?> lane;
  @Nullable Object request;
  long deadlineNs;

  /** Number of places that the request has in the window of its lane; 1 unless it is a batch. */
  int tasks;

  /** Number of places of the budget that the request holds, from 1 to {@link #tasks}. */
  int held;

  /** Number of places that the request may keep; below {@link #held} if it must return one. */
  int allowed;

  /** Whether the request was answered at its deadline while the device keeps the buffers. */
  boolean expired;

  /** Memory of the bytes that accompany the task; null if there are none. */
  @Nullable Outbox outbox;

  /** Cell of the {@link #outbox}. */
  int cell;

  /** Memory for the number of a task without buffers of its sender; null if there is none. */
  @Nullable Buffer number;

  /** Neighbours among the tasks of the lane, by deadline; see {@link TaskList}. */
  @Nullable TaskSlot earlier;

  @Nullable TaskSlot later;

  TaskSlot(int index) {
    this.index = index;
  }

  /** Returns the user data of the task in the rings. */
  long userData() {
    return UserData.pack(index, generation);
  }

  /** Clears the slot for its next use. */
  void clear() {
    if (outbox != null) {
      outbox.release(cell);
      outbox = null;
    }
    if (number != null) {
      number.release();
      number = null;
    }
    generation++;
    budget = null;
    lane = null;
    request = null;
    expired = false;
  }
}
