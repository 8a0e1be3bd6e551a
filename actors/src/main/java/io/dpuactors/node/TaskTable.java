package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.internal.UserData;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of all contexts of one engine that the bridge and the device hold. Each context
 * reserves slots when it opens, so that none can exhaust the slots of another. In the rings, slot
 * and generation identify a task, so that late completions are detected. Engine's thread; only
 * reservations allocate.
 */
final class TaskTable {
  private static final int FIRST_SLOTS = 256;

  private final int capacity;
  private TaskSlot[] slots = new TaskSlot[0];
  private int[] free = new int[0];
  private int freeCount;
  private int reserved;

  /**
   * Creates an empty table.
   *
   * @param capacity slots that can be reserved
   */
  TaskTable(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Refuses a number of tasks for which no engine of this size has slots. Call it before the native
   * context allocates its tasks, which takes seconds for millions of them.
   *
   * @throws DocaException INVALID_VALUE, naming both numbers
   */
  void checkPossible(String name, long count) {
    if (count > capacity) {
      throw new DocaException(
          "open",
          DocaCode.INVALID_VALUE,
          "%s: %d tasks in flight are more than the engine's %d task slots: lower the window,"
                  .formatted(name, count, capacity)
              + " or raise dpu.engine.completion-ring");
    }
  }

  /**
   * Reserves slots for one context.
   *
   * @param name of the context, for the error
   * @throws DocaException NO_MEMORY if fewer slots are left
   */
  TaskBudget reserve(String name, int count) {
    if (count > capacity - reserved) {
      throw new DocaException(
          "open",
          DocaCode.NO_MEMORY,
          ("%s needs %d task slots, and %d of the engine's %d are free: close contexts, lower"
                  + " their windows, or raise dpu.engine.completion-ring")
              .formatted(name, count, capacity - reserved, capacity));
    }
    reserved += count;
    if (reserved > slots.length) {
      grow(Math.min(capacity, Math.max(reserved, Math.max(FIRST_SLOTS, 2 * slots.length))));
    }
    return new TaskBudget(this, count);
  }

  private void grow(int length) {
    int before = slots.length;
    slots = Arrays.copyOf(slots, length);
    free = Arrays.copyOf(free, length);
    for (int i = length - 1; i >= before; i--) {
      slots[i] = new TaskSlot(i);
      free[freeCount++] = i;
    }
  }

  /** Returns reserved slots for other contexts. */
  void unreserve(int count) {
    reserved -= count;
  }

  /** Returns a free slot. The budgets guarantee that one exists. */
  TaskSlot take() {
    return slots[free[--freeCount]];
  }

  /** Frees the slot. The user data of the slot becomes invalid. */
  void release(TaskSlot slot) {
    slot.clear();
    free[freeCount++] = slot.index;
  }

  /** Returns the slot of the user data, or null if that task no longer exists. */
  @Nullable TaskSlot find(long userData) {
    int index = UserData.slot(userData);
    if (index < 0 || index >= slots.length) {
      return null;
    }
    TaskSlot slot = slots[index];
    return slot.budget != null && slot.generation == UserData.generation(userData) ? slot : null;
  }

  /** Returns the number of slots that hold a task. */
  int inUse() {
    return slots.length - freeCount;
  }
}
