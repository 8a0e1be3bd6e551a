package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a {@link TaskLane} that the bridge or the device holds. Each has a slot. Engine's
 * thread.
 *
 * @param <R> the requests
 */
final class SubmittedRequests<R> {
  private final TaskLane<R> lane;
  private final EngineCore core;
  private final Requests<R> requests;
  private final Credit credit;
  private final TaskList tasks = new TaskList();
  private @Nullable TaskBudget budget;

  /** Whether the budget and the bridge's queue belong to the server of this connection. */
  private boolean isShared;

  private @Nullable DocaContext context;
  private boolean hasRoomReturned;

  SubmittedRequests(
      TaskLane<R> lane, EngineCore core, LaneSettings settings, Requests<R> requests) {
    this.lane = lane;
    this.core = core;
    this.requests = requests;
    this.credit = requests.sharesWindow() ? Credit.shared(settings.window()) : new Credit(settings);
  }

  /** Reserves slots for a context with this number of task kinds. */
  void reserve(String name, int kinds) {
    budget = core.tasks().reserve(name, kinds * credit.most());
  }

  /** Shares a budget with other lanes. Replaces {@link #reserve}. */
  void share(TaskBudget common) {
    budget = common;
    isShared = true;
  }

  /** Frees the reserved slots. */
  void destroyed() {
    TaskBudget own = budget;
    if (own != null && !isShared) {
      budget = null;
      own.close();
    }
  }

  /** Starts submitting to the running context. */
  void open(DocaContext running, Set<TaskKind> kinds) {
    context = running;
    if (!isShared) {
      // A batch waits in the bridge even without other requests.
      kinds.forEach(kind -> running.queue(kind, credit.most()));
    }
  }

  boolean isOpen() {
    return context != null;
  }

  /** Returns whether the request would be in flight at once. */
  boolean isInWindow(R request) {
    return credit.isInWindow(requests.kind(request));
  }

  /** Returns the number of requests on the device. */
  int inFlight() {
    return credit.inFlight();
  }

  /** Returns the number of requests that wait in the bridge. */
  int ahead() {
    return credit.ahead();
  }

  /** Returns the unanswered request with the earliest deadline, or null. */
  @Nullable TaskSlot first() {
    return tasks.first();
  }

  /** Runs the action for each unanswered request, on a copy: an answer may cause other answers. */
  void forEach(Consumer<TaskSlot> action) {
    for (TaskSlot slot : tasks.copy()) {
      if (slot.lane == lane && !slot.expired) {
        action.accept(slot);
      }
    }
  }

  /** Does {@link #forEach} from the latest deadline to the earliest. */
  void forEachYoungest(Consumer<TaskSlot> action) {
    List<TaskSlot> all = tasks.copy();
    Collections.reverse(all);
    all.forEach(action);
  }

  /** Returns whether a request was released since {@link #useReturnedRoom}. */
  boolean hasRoomReturned() {
    return hasRoomReturned;
  }

  /** Notes that waiting requests are submitted now. */
  void useReturnedRoom() {
    hasRoomReturned = false;
  }

  /**
   * Submits a request, or answers it if it cannot succeed. Returns false if there is no room at the
   * moment.
   */
  boolean submit(R request, long deadlineNs) {
    DocaContext running = context;
    if (running == null) {
      return false;
    }
    DocaError refusal = requests.refusal(request);
    if (refusal != null) {
      lane.fail(request, refusal);
      return true;
    }
    TaskKind kind = requests.kind(request);
    int places = Math.min(requests.places(request), credit.most());
    TaskSlot slot = budget != null && credit.isLeft(kind, places) ? budget.acquire(places) : null;
    if (slot == null) {
      return false;
    }
    slot.lane = lane;
    slot.request = request;
    slot.deadlineNs = deadlineNs;
    try {
      if (!requests.offer(request, core, slot, running.handle())) {
        budgetOf(slot).release(slot);
        return false;
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      budgetOf(slot).release(slot);
      lane.fail(request, impossible(request, e));
      return true;
    }
    tasks.add(slot);
    credit.take(kind, slot.tasks);
    if (slot.tasks > 1) {
      budgetOf(slot).share(slot);
    }
    return true;
  }

  private DocaError impossible(R request, Throwable cause) {
    boolean isMemory = cause instanceof OutOfMemoryError;
    return DocaError.of(
        "doca_task_submit",
        (isMemory ? DocaCode.NO_MEMORY : DocaCode.INVALID_VALUE).value(),
        requests.about(request) + ": " + cause.getMessage());
  }

  /**
   * Answers a request that the device has completed. An exception, as for a record with more bytes
   * than the buffer has, or a lack of memory leaves no request without an answer.
   */
  void complete(R request, CompletionRing record) {
    try {
      requests.completed(request, record);
    } catch (RuntimeException | OutOfMemoryError e) {
      String about = requests.about(request) + ": " + e;
      try {
        lane.fail(request, DocaError.of("doca_task", DocaCode.UNEXPECTED, about));
      } catch (RuntimeException unanswered) {
        e.addSuppressed(unanswered);
      }
      throw e;
    }
  }

  /** Returns the request of a slot of this lane. */
  @SuppressWarnings("unchecked") // A slot of this lane holds a request of this lane.
  R requestOf(TaskSlot slot) {
    Object request = slot.request;
    if (request == null || slot.lane != lane) {
      throw new IllegalStateException("slot " + slot.index + " holds no request of this lane");
    }
    return (R) request;
  }

  /** Frees the slot of a request that the bridge and the device have released. */
  void release(TaskSlot slot, R request) {
    if (!slot.expired) {
      tasks.remove(slot);
    }
    budgetOf(slot).release(slot);
    credit.release(requests.kind(request), slot.tasks);
    hasRoomReturned = true;
  }

  private static TaskBudget budgetOf(TaskSlot slot) {
    return Objects.requireNonNull(slot.budget, "the budget of a slot in use");
  }

  /** Marks a request as answered while the device holds it. */
  void expire(TaskSlot slot) {
    tasks.remove(slot);
    slot.expired = true;
  }

  /**
   * Takes a request back from the bridge. Returns false if the device holds it; its record will
   * follow.
   */
  boolean withdraw(TaskSlot slot, DocaError reason) {
    DocaContext running = context;
    return running != null && running.withdraw(slot.userData(), reason.code());
  }

  /**
   * Takes a request back that waits in the bridge behind another one of its ordering key. Returns
   * false for all other requests.
   */
  boolean reclaim(TaskSlot slot) {
    DocaContext running = context;
    return running != null && running.reclaim(slot.userData());
  }
}
