package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.UserData;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that the bridge and the device hold, of all contexts of one engine. Each context
 * reserves its part when it opens, so that none can use up what another needs. A task travels
 * through the rings as slot and generation, so that a completion for something that is gone is
 * recognised. Engine's thread; it allocates when a part is reserved, and not afterwards.
 */
final class TaskTable {
  private static final int FIRST_SLOTS = 256;

  private final int capacity;
  private TaskSlot[] slots = new TaskSlot[0];
  private int[] free = new int[0];
  private int freeCount;
  private int reserved;

  /**
   * An empty table.
   *
   * @param capacity slots that can be reserved
   */
  TaskTable(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Keeps slots for one context.
   *
   * @param name of the context, for the error
   * @throws DocaException NO_MEMORY when fewer are left
   */
  TaskBudget reserve(String name, int count) {
    if (count > capacity - reserved) {
      throw new DocaException(
          DocaError.of(
              "open",
              DocaCode.NO_MEMORY.value(),
              ("%s needs %d task slots, and %d of the engine's %d are free: close contexts, lower"
                      + " their windows, or raise dpu.engine.completion-ring")
                  .formatted(name, count, capacity - reserved, capacity)));
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

  /** The slots of a budget may be reserved by others again. */
  void giveBack(int count) {
    reserved -= count;
  }

  /** A free slot; there is one for everybody whose budget is not used up. */
  TaskSlot take() {
    return slots[free[--freeCount]];
  }

  /** Makes the slot free; from now on its user data names nothing. */
  void release(TaskSlot slot) {
    slot.clear();
    free[freeCount++] = slot.index;
  }

  /** The slot that user data names, or null when that task is gone. */
  @Nullable TaskSlot find(long userData) {
    int index = UserData.slot(userData);
    if (index < 0 || index >= slots.length) {
      return null;
    }
    TaskSlot slot = slots[index];
    return slot.budget != null && slot.generation == UserData.generation(userData) ? slot : null;
  }

  /** Slots that hold a task. */
  int inUse() {
    return slots.length - freeCount;
  }
}
