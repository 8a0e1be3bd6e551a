package io.dpuactors.node;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unanswered tasks of one lane, ordered by deadline and linked through their slots. A new
 * request nearly always has the latest deadline, so insertion starts at the end. Engine's thread;
 * only {@link #copy} allocates.
 */
final class TaskList {
  private @Nullable TaskSlot first;
  private @Nullable TaskSlot last;

  /** Returns the task with the earliest deadline, or null. */
  @Nullable TaskSlot first() {
    return first;
  }

  void add(TaskSlot slot) {
    TaskSlot before = last;
    while (before != null && before.deadlineNs - slot.deadlineNs > 0) {
      before = before.earlier;
    }
    TaskSlot after = before == null ? first : before.later;
    slot.earlier = before;
    slot.later = after;
    if (before == null) {
      first = slot;
    } else {
      before.later = slot;
    }
    if (after == null) {
      last = slot;
    } else {
      after.earlier = slot;
    }
  }

  /** Removes a task of the list. */
  void remove(TaskSlot slot) {
    TaskSlot before = slot.earlier;
    TaskSlot after = slot.later;
    if (before == null) {
      first = after;
    } else {
      before.later = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.earlier = before;
    }
    slot.earlier = null;
    slot.later = null;
  }

  /** Returns a copy, for iterations that remove tasks. */
  List<TaskSlot> copy() {
    List<TaskSlot> all = new ArrayList<>();
    for (TaskSlot slot = first; slot != null; slot = slot.later) {
      all.add(slot);
    }
    return all;
  }
}
