package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.UserData;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that the device holds, of all contexts of one engine. A task travels through the rings
 * as slot and generation, so that a completion for something that is gone is recognised. Engine's
 * thread; no allocation.
 */
final class TaskTable {
  private final TaskSlot[] slots;
  private final int[] free;
  private int freeCount;

  TaskTable(int capacity) {
    slots = new TaskSlot[capacity];
    free = new int[capacity];
    for (int i = 0; i < capacity; i++) {
      slots[i] = new TaskSlot(i);
      free[i] = capacity - 1 - i;
    }
    freeCount = capacity;
  }

  /** A free slot, or null when the device holds as many tasks as it may. */
  @Nullable TaskSlot acquire() {
    return freeCount == 0 ? null : slots[free[--freeCount]];
  }

  /** Makes the slot free; from now on its user data names nothing. */
  void release(TaskSlot slot) {
    slot.generation++;
    slot.lane = null;
    slot.request = null;
    slot.expired = false;
    free[freeCount++] = slot.index;
  }

  /** The slot that user data names, or null when that task is gone. */
  @Nullable TaskSlot find(long userData) {
    int index = UserData.slot(userData);
    if (index < 0 || index >= slots.length) {
      return null;
    }
    TaskSlot slot = slots[index];
    return slot.lane != null && slot.generation == UserData.generation(userData) ? slot : null;
  }

  int inUse() {
    return slots.length - freeCount;
  }

  /** Lets every task whose deadline has passed expire. */
  void expire(long nowNs) {
    for (TaskSlot slot : slots) {
      TaskLane<?> lane = slot.lane;
      if (lane != null && !slot.expired && slot.deadlineNs - nowNs <= 0) {
        lane.expireInFlight(slot);
      }
    }
  }

  /** Answers every request of one lane that the device has not got. */
  void withdrawAll(TaskLane<?> lane, DocaError reason) {
    for (TaskSlot slot : slots) {
      if (slot.lane == lane) {
        lane.withdraw(slot, reason);
      }
    }
  }

  /** Lets every task of one lane expire, whatever its deadline. */
  void expireAll(TaskLane<?> lane) {
    for (TaskSlot slot : slots) {
      if (slot.lane == lane && !slot.expired) {
        lane.expireInFlight(slot);
      }
    }
  }
}
