package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.RecordType;
import io.dpuactors.node.OrderedQueue.Pending;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one context, from their arrival to their one answer.
 *
 * <pre>
 *   accept -> [room ahead?] -> submission ring -> bridge -> device -> record -> answer
 *                | no                                                    | AGAIN
 *                v                                                       v
 *             queue (bounded, else Busy) <-------------------------------'  (in order of arrival)
 * </pre>
 *
 * <p>The window limits the tasks on the device. A few more wait in the bridge, see {@link Credit};
 * the lane counts them as waiting.
 *
 * <p>The lane belongs to the native half. When its actor fails, the lane answers queued requests at
 * once, and those on the device when the device releases them. Engine's thread.
 *
 * @param <R> the requests
 */
public final class TaskLane<R> implements ContextLoad {
  /** Result of tasks that the device has not started when their context is stopped. */
  private static final DocaCode FLUSHED = DocaCode.IO_FAILED;

  private final EngineCore core;
  private final LaneSettings settings;
  private final Requests<R> requests;
  private final Credit credit;
  private final WaitingRequests<R> waiting;
  private final WaitingRequests.Taker<R> submission = this::submit;
  private final Consumer<R> expiry = this::expire;
  private final TaskList tasks = new TaskList();
  private @Nullable Node node;
  private @Nullable TaskBudget budget;

  /** Whether the budget and the bridge's queue belong to the server of this connection. */
  private boolean isShared;

  private @Nullable DocaContext context;
  private @Nullable DocaError finishing;
  private @Nullable DocaError closed;
  private boolean hasFailed;
  private @Nullable DocaError stopReason;
  private long nextSequence;
  private boolean creditReturned;

  TaskLane(EngineCore core, LaneSettings settings, Requests<R> requests) {
    this.core = core;
    this.settings = settings;
    this.requests = requests;
    this.credit = new Credit(settings);
    this.waiting = new WaitingRequests<>(settings, requests);
  }

  /**
   * Creates the lane of a context whose tasks go from one buffer to another.
   *
   * @param name of the context, for errors
   */
  public static TaskLane<DeviceRequest> forTasks(
      EngineCore core, String name, LaneSettings settings) {
    return new TaskLane<>(core, settings, new TaskRequests(name));
  }

  @Override
  public void belongTo(LoadedNode<?> carrier) {
    node = carrier;
  }

  private void schedule() {
    if (node != null) {
      node.schedule();
    }
  }

  /** Handles an exception of work that the lane did for the engine. */
  void fail(RuntimeException cause) {
    if (node == null) {
      throw cause;
    }
    node.fail(cause);
  }

  @Override
  public void reserve(String name, Map<TaskKind, TaskLimits> configured) {
    budget = core.tasks().reserve(name, configured.size() * credit.most());
  }

  /** Shares a budget with other lanes. Replaces {@link #reserve}. */
  void share(TaskBudget common) {
    budget = common;
    isShared = true;
  }

  @Override
  public void destroyed() {
    TaskBudget own = budget;
    if (own != null && !isShared) {
      budget = null;
      own.close();
    }
  }

  @Override
  public void open(DocaContext running, Map<TaskKind, TaskLimits> configured) {
    context = running;
    requests.limit(configured);
    if (!isShared) {
      // A batch waits in the bridge even without other requests.
      configured.keySet().forEach(kind -> configureQueue(running, kind));
    }
    pump(core.nowNs());
  }

  private void configureQueue(DocaContext running, TaskKind kind) {
    running.queue(kind, credit.most());
    if (settings.retryBudgetNs() > 0) {
      running.retryBudget(kind, settings.retryBudgetNs());
    }
  }

  /** Accepts a request. Answers it once, now or later. */
  public void accept(R request) {
    schedule();
    DocaError over = over();
    DocaError refusal = over != null ? over : requests.unusable(request);
    if (refusal == null) {
      refusal = requests.take(request);
    }
    if (refusal != null) {
      requests.failed(request, refusal, Ownership.RETURNED);
      return;
    }
    long sequence = nextSequence++;
    long deadline = core.arrivalNs() + settings.deadlineNs();
    if (waiting.isFree(request) && mayBeHanded(request) && submit(request, sequence, deadline)) {
      return;
    }
    if (waiting() >= settings.queue()) {
      requests.returnBuffers(request);
      requests.busy(request, waiting());
      return;
    }
    waiting.add(new Pending<>(request, sequence, deadline));
  }

  /** Returns whether the request would be in flight at once, or may wait. */
  private boolean mayBeHanded(R request) {
    return credit.isInWindow(requests.kind(request)) || waiting() < settings.queue();
  }

  /** Returns why the lane accepts no more requests, or null. */
  @Nullable DocaError over() {
    return closed != null ? closed : finishing;
  }

  /** Refuses new requests. Waiting requests are submitted until {@link #close}. */
  void finish(DocaError reason) {
    finishing = reason;
  }

  @Override
  public void close(DocaError reason) {
    if (closed == null) {
      closed = reason;
      waiting.clear(request -> fail(request, reason));
      withdrawAll(reason);
    }
  }

  @Override
  public void fail(DocaError reason) {
    hasFailed |= closed == null;
    close(reason);
  }

  /**
   * Records why the context is stopped. The device now flushes its tasks, and the lane answers them
   * with this reason. If the device has failed, its own code stays.
   */
  @Override
  public void stopping(DocaError reason) {
    if (!hasFailed && stopReason == null) {
      stopReason = closed == null ? reason : closed;
    }
  }

  /**
   * Answers all requests that the device has not received. Submits the entries of the ring first,
   * so that the bridge can withdraw them.
   */
  private void withdrawAll(DocaError reason) {
    if (inFlight() > 0) {
      core.submit();
      forEachTask(slot -> withdraw(slot, reason));
    }
  }

  @Override
  public DocaCode endCode(boolean hasRun) {
    return requests.endCode(hasRun);
  }

  @Override
  public int inFlight() {
    return credit.inFlight();
  }

  @Override
  public void expireAll() {
    forEachTask(this::expireInFlight);
  }

  /** Iterates over a copy, because an answer may cause other answers. */
  private void forEachTask(Consumer<TaskSlot> action) {
    for (TaskSlot slot : tasks.copy()) {
      if (slot.lane == this && !slot.expired) {
        action.accept(slot);
      }
    }
  }

  int waiting() {
    return waiting.size() + credit.ahead();
  }

  @Override
  public void turn(long nowNs, NextTurn next) {
    TaskSlot first;
    while ((first = tasks.first()) != null && first.deadlineNs - nowNs <= 0) {
      expireInFlight(first);
    }
    waiting.forget();
    if (!waiting.isEmpty()) {
      // Without tasks in the bridge, no completion reports that other lanes have freed room: check
      // here.
      boolean isDue = creditReturned || inFlight() == 0;
      isDue |= waiting.expire(nowNs, expiry);
      if (isDue) {
        pump(nowNs);
      }
      if (waiting.plan(next) && inFlight() == 0) {
        next.inEach();
      }
    }
    first = tasks.first();
    if (first != null) {
      next.at(first.deadlineNs);
    }
  }

  /** Handles a record of a task of this lane. */
  void onRecord(TaskSlot slot, CompletionRing record) {
    schedule();
    R request = requestOf(slot);
    boolean answered = slot.expired;
    long sequence = slot.sequence;
    long deadline = slot.deadlineNs;
    release(slot, request);
    if (answered) {
      requests.returnBuffers(request);
    } else if (record.type() == RecordType.TASK_DONE) {
      waiting.succeeded(request);
      if (stopReason != null) {
        requests.correct(request, FLUSHED, stopReason.code());
      }
      requests.completed(request, record);
    } else {
      onFailure(request, sequence, deadline, record);
    }
  }

  private void release(TaskSlot slot, R request) {
    if (!slot.expired) {
      tasks.remove(slot);
    }
    budgetOf(slot).release(slot);
    credit.giveBack(requests.kind(request));
    creditReturned = true;
  }

  /** Expires a request that the bridge or the device still holds at its deadline. */
  private void expireInFlight(TaskSlot slot) {
    R request = requestOf(slot);
    DocaError late = timeOut(request);
    if (!withdraw(slot, late)) {
      tasks.remove(slot);
      slot.expired = true;
      requests.abandon(request);
      requests.failed(request, late, Ownership.RETAINED);
    }
  }

  /**
   * Answers a request that the device has not received. Returns false if the device holds it; its
   * record will follow.
   */
  private boolean withdraw(TaskSlot slot, DocaError reason) {
    DocaContext running = context;
    if (running == null || !running.withdraw(slot.userData(), reason.code())) {
      return false;
    }
    R request = requestOf(slot);
    release(slot, request);
    fail(request, reason);
    return true;
  }

  @SuppressWarnings("unchecked") // A slot of this lane holds a request of this lane.
  private R requestOf(TaskSlot slot) {
    Object request = slot.request;
    if (request == null || slot.lane != this) {
      throw new IllegalStateException("slot " + slot.index + " holds no request of this lane");
    }
    return (R) request;
  }

  private void onFailure(R request, long sequence, long deadlineNs, CompletionRing record) {
    boolean refused = record.type() == RecordType.REFUSED;
    if (refused && closed == null && requests.isTransient(record.status())) {
      waiting.refuse(new Pending<>(request, sequence, deadlineNs));
      return;
    }
    DocaError over = refused ? closed : record.status() == FLUSHED.value() ? stopReason : null;
    fail(
        request,
        over != null
            ? over
            : DocaError.of(
                refused ? "doca_task_submit" : "doca_task",
                record.status(),
                requests.about(request)));
  }

  /** Answers an accepted request with an error. */
  private void fail(R request, DocaError error) {
    requests.returnBuffers(request);
    requests.failed(request, error, Ownership.RETURNED);
  }

  /** Submits waiting requests as far as the credit permits. */
  private void pump(long nowNs) {
    creditReturned = false;
    if (context != null && closed == null) {
      waiting.handOn(nowNs, submission);
    }
  }

  /**
   * Submits a request, or answers it if it cannot succeed. Returns false if there is no room at the
   * moment.
   */
  private boolean submit(R request, long sequence, long deadlineNs) {
    DocaContext running = context;
    if (running == null) {
      return false;
    }
    DocaError refusal = requests.refusal(request);
    if (refusal != null) {
      fail(request, refusal);
      return true;
    }
    TaskKind kind = requests.kind(request);
    TaskSlot slot = budget != null && credit.isLeft(kind) ? budget.acquire() : null;
    if (slot == null) {
      return false;
    }
    slot.lane = this;
    slot.request = request;
    slot.sequence = sequence;
    slot.deadlineNs = deadlineNs;
    try {
      if (!requests.offer(request, core, slot, running.handle())) {
        budgetOf(slot).release(slot);
        return false;
      }
    } catch (RuntimeException e) {
      budgetOf(slot).release(slot);
      fail(request, impossible(request, e));
      return true;
    }
    tasks.add(slot);
    credit.take(kind);
    return true;
  }

  private DocaError impossible(R request, RuntimeException cause) {
    return DocaError.of(
        "doca_task_submit",
        DocaCode.INVALID_VALUE.value(),
        requests.about(request) + ": " + cause.getMessage());
  }

  private static TaskBudget budgetOf(TaskSlot slot) {
    return Objects.requireNonNull(slot.budget, "the budget of a slot in use");
  }

  private void expire(R request) {
    fail(request, timeOut(request));
  }

  private DocaError timeOut(R request) {
    return DocaError.of(
        "doca_task",
        DocaCode.TIME_OUT.value(),
        "%s: no answer within %d ms"
            .formatted(requests.about(request), settings.deadlineNs() / 1_000_000));
  }
}
