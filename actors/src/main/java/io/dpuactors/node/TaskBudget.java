package io.dpuactors.node;

import org.jspecify.annotations.Nullable;

/**
 * The slots of the {@link TaskTable} that one context has reserved; the connections of a server
 * share those of the server. Engine's thread; no allocation.
 */
final class TaskBudget {
  private final TaskTable table;
  private int left;
  private boolean isClosed;

  TaskBudget(TaskTable table, int size) {
    this.table = table;
    this.left = size;
  }

  /** A free slot, or null when all of the budget are in use. */
  @Nullable TaskSlot acquire() {
    if (left == 0) {
      return null;
    }
    left--;
    TaskSlot slot = table.take();
    slot.budget = this;
    return slot;
  }

  /** Makes a slot of this budget free. */
  void release(TaskSlot slot) {
    table.release(slot);
    if (isClosed) {
      table.giveBack(1);
    } else {
      left++;
    }
  }

  /** Others may reserve its slots: now those that are free, the rest as soon as they are. */
  void close() {
    isClosed = true;
    table.giveBack(left);
    left = 0;
  }
}
