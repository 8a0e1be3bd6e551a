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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one context, from their arrival to their one answer.
 *
 * <pre>{@code
 * accept -> [room ahead?] -> submission ring -> bridge -> device -> record -> answer
 *              | no              ^                 |
 *              v                 |                 | another ordering key needs its place
 *           queue (bounded, else Busy) <-----------'
 * }</pre>
 *
 * <p>The window limits the tasks on the device. A few more wait in the bridge, see {@link Credit};
 * the lane counts them as waiting. The bridge submits tasks again that DOCA refuses with AGAIN.
 * Such tasks keep their places in the bridge, so the lane limits each refused key to one place
 * while other keys need places.
 *
 * <p>The lane belongs to the native half. When its actor fails, the lane answers queued requests at
 * once, and those on the device when the device releases them. Engine's thread.
 *
 * @param <R> the requests
 */
public final class TaskLane<R> implements ContextLoad {
  private final EngineCore core;
  private final LaneSettings settings;
  private final Requests<R> requests;
  private final SubmittedRequests<R> submitted;
  private final WaitingRequests<R> waiting;
  private final WaitingRequests.Taker<R> submission;
  private final Consumer<R> expiry = this::expire;
  private final LaneEnd end = new LaneEnd();
  private final RoomShortage shortage = new RoomShortage();
  private @Nullable Node node;

  TaskLane(EngineCore core, LaneSettings settings, Requests<R> requests) {
    this.core = core;
    this.settings = settings;
    this.requests = requests;
    this.submitted = new SubmittedRequests<>(this, core, settings, requests);
    this.submission = submitted::submit;
    this.waiting = new WaitingRequests<>(requests);
  }

  /** Creates the lane of a context of this name whose tasks go from one buffer to another. */
  public static TaskLane<DeviceRequest> forTasks(
      EngineCore core, String name, LaneSettings settings) {
    return new TaskLane<>(core, settings, new TaskRequests(name));
  }

  /** Creates the lane of a sync event of this name. */
  public static TaskLane<DeviceRequest> forEvents(
      EngineCore core, String name, LaneSettings settings) {
    return new TaskLane<>(core, settings, new EventRequests(name));
  }

  @Override
  public void belongTo(LoadedNode<?> carrier) {
    node = carrier;
  }

  void schedule() {
    if (node != null) {
      node.schedule();
    }
  }

  /** Returns the node of this lane, or null before {@link #belongTo}. */
  @Nullable Node node() {
    return node;
  }

  @Override
  public void reserve(String name, Map<TaskKind, TaskLimits> configured) {
    submitted.reserve(name, configured.size());
  }

  /** Shares a budget with other lanes. Replaces {@link #reserve}. */
  void share(TaskBudget common) {
    submitted.share(common);
  }

  @Override
  public void destroyed() {
    submitted.destroyed();
  }

  @Override
  public void open(DocaContext running, Map<TaskKind, TaskLimits> configured) {
    requests.limit(running, configured);
    submitted.open(running, configured.keySet());
    pump(core.nowNs());
  }

  /** Accepts a request. Answers it once, now or later. */
  public void accept(R request) {
    schedule();
    DocaError over = end.over();
    DocaError unusable = over != null ? over : requests.unusable(request);
    DocaError refusal = unusable != null ? unusable : requests.take(request);
    if (refusal != null) {
      requests.failed(request, refusal, Ownership.RETURNED);
      return;
    }
    long deadline = core.arrivalNs() + settings.deadlineNs();
    boolean mayGo = submitted.isInWindow(request) || waiting() < settings.queue();
    if (mayGo && waiting.isFree(request) && submitted.submit(request, deadline)) {
      return;
    }
    if (waiting() >= settings.queue()) {
      requests.returnBuffers(request);
      requests.busy(request, waiting());
      return;
    }
    waiting.add(new Pending<>(request, deadline));
    shortage.note(true, core.arrivalNs());
  }

  /** Refuses new requests. Waiting requests are submitted until {@link #close}. */
  void finish(DocaError reason) {
    end.finish(reason);
  }

  @Override
  public void close(DocaError reason) {
    if (end.close(reason)) {
      waiting.clear(request -> fail(request, reason));
      withdrawAll(reason);
    }
  }

  @Override
  public void fail(DocaError reason) {
    end.fail();
    close(reason);
  }

  /**
   * Records why the context is stopped: the answer to the tasks that the device now flushes. If the
   * device has failed, its own code stays.
   */
  @Override
  public void stopping(DocaError reason) {
    end.stopping(reason);
  }

  /**
   * Answers all requests that the device has not received. Submits the entries of the ring first:
   * the bridge withdraws submitted entries only.
   */
  private void withdrawAll(DocaError reason) {
    if (inFlight() > 0) {
      core.submit();
      submitted.forEach(slot -> withdraw(slot, reason));
    }
  }

  @Override
  public DocaCode endCode(boolean hasRun) {
    return requests.endCode(hasRun);
  }

  @Override
  public int inFlight() {
    return submitted.inFlight();
  }

  @Override
  public void expireAll() {
    submitted.forEach(this::expireInFlight);
  }

  int waiting() {
    return waiting.size() + submitted.ahead();
  }

  @Override
  public void turn(long nowNs, NextTurn next) {
    TaskSlot first;
    while ((first = submitted.first()) != null && first.deadlineNs - nowNs <= 0) {
      expireInFlight(first);
    }
    waiting.forget();
    if (!waiting.isEmpty()) {
      waiting.expire(nowNs, expiry);
      // Without tasks in the bridge, no completion reports room that other lanes have freed.
      if (submitted.hasRoomReturned() || inFlight() == 0) {
        pump(nowNs);
      }
      reclaim(nowNs, next);
      if (waiting.plan(next) && inFlight() == 0) {
        next.inEach();
      }
    }
    first = submitted.first();
    if (first != null) {
      next.at(first.deadlineNs);
    }
  }

  /** Handles a record of a task of this lane. Returns whether a task has failed. */
  boolean onRecord(TaskSlot slot, CompletionRing record) {
    schedule();
    R request = submitted.requestOf(slot);
    boolean answered = slot.expired;
    boolean hasFailed = record.type() != RecordType.TASK_DONE;
    release(slot, request);
    if (answered) {
      requests.returnBuffers(request);
    } else if (!hasFailed) {
      hasFailed = requests.hasFailures(request);
      end.correct(requests, request);
      submitted.complete(request, record);
    } else {
      fail(request, end.error(record, requests.about(request)));
    }
    return hasFailed;
  }

  /** Frees the slot of a request that has left the bridge. */
  private void release(TaskSlot slot, R request) {
    submitted.release(slot, request);
    waiting.unblock(request);
  }

  /** Expires a request that the bridge or the device still holds at its deadline. */
  private void expireInFlight(TaskSlot slot) {
    R request = submitted.requestOf(slot);
    DocaError late = settings.timeOut(requests.about(request));
    if (!withdraw(slot, late)) {
      submitted.expire(slot);
      requests.releaseAfterTasks(request);
      requests.failed(request, late, Ownership.RETAINED);
    }
  }

  /**
   * Answers a request that the device has not received. Returns false if the device holds it; its
   * record will follow.
   */
  private boolean withdraw(TaskSlot slot, DocaError reason) {
    if (!submitted.withdraw(slot, reason)) {
      return false;
    }
    R request = submitted.requestOf(slot);
    release(slot, request);
    fail(request, reason);
    return true;
  }

  /** Answers an accepted request with an error. */
  void fail(R request, DocaError error) {
    requests.returnBuffers(request);
    requests.failed(request, error, Ownership.RETURNED);
  }

  /** Submits waiting requests as far as the credit permits. */
  private void pump(long nowNs) {
    submitted.useReturnedRoom();
    boolean isOpen = submitted.isOpen() && !end.isClosed();
    shortage.note(isOpen && waiting.submit(submission), nowNs);
  }

  /** Takes places of refused keys for the requests of other keys, if these wait for too long. */
  private void reclaim(long nowNs, NextTurn next) {
    boolean isKeyed = submitted.isOpen() && waiting.isKeyed();
    if (isKeyed && shortage.isOver(nowNs, next) && core.isRetrying()) {
      submitted.forEachYoungest(this::reclaim);
      pump(nowNs);
    }
  }

  /** Takes a request back if it waits in the bridge behind another one of its key. */
  private void reclaim(TaskSlot slot) {
    R request = submitted.requestOf(slot);
    long deadline = slot.deadlineNs;
    if (waiting.hasOther(request) && submitted.reclaim(slot)) {
      submitted.release(slot, request);
      waiting.putBack(new Pending<>(request, deadline));
    }
  }

  private void expire(R request) {
    fail(request, settings.timeOut(requests.about(request)));
  }
}
