package io.dpuactors.node;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unanswered tasks of one lane, by deadline, linked through their slots. A request has nearly
 * always a later deadline than those before it, so that its place is at the end. Engine's thread;
 * no allocation but for {@link #copy}.
 */
final class TaskList {
  private @Nullable TaskSlot first;
  private @Nullable TaskSlot last;

  /** The one with the earliest deadline, or null. */
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

  /** Takes out a task that is in the list. */
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

  /** All of them, for a walk during which some are taken out. */
  List<TaskSlot> copy() {
    List<TaskSlot> all = new ArrayList<>();
    for (TaskSlot slot = first; slot != null; slot = slot.later) {
      all.add(slot);
    }
    return all;
  }
}
