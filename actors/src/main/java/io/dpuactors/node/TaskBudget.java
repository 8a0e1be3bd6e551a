package io.dpuactors.node;

import org.jspecify.annotations.Nullable;

/**
 * The slots of the {@link TaskTable} that one context has reserved. The connections of a server
 * share the server's slots. Engine's thread; no allocation.
 */
final class TaskBudget {
  private final TaskTable table;
  private int left;
  private boolean isClosed;

  TaskBudget(TaskTable table, int size) {
    this.table = table;
    this.left = size;
  }

  /**
   * Returns a free slot, or null if the budget is used up.
   *
   * @param tasks number of tasks that the slot stands for; fewer if the budget has fewer left
   */
  @Nullable TaskSlot acquire(int tasks) {
    if (left == 0) {
      return null;
    }
    TaskSlot slot = table.take();
    slot.budget = this;
    slot.tasks = Math.min(tasks, left);
    left -= slot.tasks;
    return slot;
  }

  /** Frees a slot of this budget. */
  void release(TaskSlot slot) {
    table.release(slot);
    if (isClosed) {
      table.unreserve(slot.tasks);
    } else {
      left += slot.tasks;
    }
  }

  /**
   * Returns the free slots to the table for other contexts. Slots in use follow when they are
   * released.
   */
  void close() {
    isClosed = true;
    table.unreserve(left);
    left = 0;
  }
}
