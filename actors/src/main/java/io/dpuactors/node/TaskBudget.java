package io.dpuactors.node;

import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.DeviceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slots of the {@link TaskTable} that one context has reserved. The connections of a server
 * share the server's slots.
 *
 * <p>A batch has one slot, which holds several places of the budget. While other requests find no
 * place, batches return places as their tasks end, but keep one. Batches use places that become
 * free, except one for the next request. Engine's thread; only batches allocate.
 */
final class TaskBudget {
  private final TaskTable table;

  /** The slots of the batches that return places, oldest first. */
  private final List<TaskSlot> batches = new ArrayList<>();

  private int left;
  private boolean isClosed;

  /** Whether a request has found no place since the last release. */
  private boolean isShort;

  TaskBudget(TaskTable table, int size) {
    this.table = table;
    this.left = size;
  }

  /**
   * Returns a free slot, or null if the budget is used up.
   *
   * @param tasks number of places that the slot can use; it holds fewer if the budget has fewer
   */
  @Nullable TaskSlot acquire(int tasks) {
    if (left == 0 && !isClosed) {
      takeBack();
    }
    if (left == 0) {
      isShort = true;
      return null;
    }
    TaskSlot slot = table.take();
    slot.budget = this;
    slot.tasks = tasks;
    slot.held = Math.min(tasks, left);
    slot.allowed = slot.held;
    left -= slot.held;
    return slot;
  }

  /** Lets other requests use places of a submitted batch. */
  void share(TaskSlot batch) {
    batches.add(batch);
  }

  /** Frees a slot of this budget. */
  void release(TaskSlot slot) {
    if (slot.tasks > 1) {
      batches.remove(slot);
    }
    table.release(slot);
    if (isClosed) {
      table.unreserve(slot.held);
      return;
    }
    left += slot.held;
    if (isShort) {
      isShort = false; // the request that has found no place tries again
    } else {
      widen();
    }
  }

  /** Takes a place from the batch with the most. A batch that owes a place is not asked again. */
  private void takeBack() {
    TaskSlot widest = null;
    for (int i = 0; i < batches.size(); i++) {
      TaskSlot slot = batches.get(i);
      collect(slot);
      if (slot.held == slot.allowed && (widest == null || slot.held > widest.held)) {
        widest = slot;
      }
    }
    if (left == 0 && widest != null && widest.held > 1) {
      allow(widest, widest.held - 1);
      collect(widest);
    }
  }

  /** Frees the places that a batch may not keep, as far as the device does not use them. */
  private void collect(TaskSlot slot) {
    if (slot.held > slot.allowed) {
      int needed = Math.max(slot.allowed, batchOf(slot).results().inFlight());
      left += slot.held - needed;
      slot.held = needed;
    }
  }

  /** Gives free places to batches that can use more, oldest first. One stays free. */
  private void widen() {
    for (int i = 0; i < batches.size(); i++) {
      TaskSlot slot = batches.get(i);
      int more = Math.min(Math.max(0, left - 1), slot.tasks - slot.held);
      left -= more;
      slot.held += more;
      if (slot.allowed < slot.held) {
        allow(slot, slot.held);
      }
    }
  }

  private static void allow(TaskSlot slot, int places) {
    slot.allowed = places;
    batchOf(slot).limit(places);
  }

  private static TaskBatch batchOf(TaskSlot slot) {
    Object request = Objects.requireNonNull(slot.request, "the request of a slot in use");
    return Objects.requireNonNull(((DeviceRequest) request).batch(), "the batch of the request");
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
