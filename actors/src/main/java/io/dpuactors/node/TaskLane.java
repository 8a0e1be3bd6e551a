package io.dpuactors.node;

import io.dpuactors.bridge.CompletionRing;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.RecordType;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.UserData;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.TaskRequest;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one context, from their arrival to their one answer.
 *
 * <pre>
 *   accept -> [window open?] -> submission ring -> device -> record -> answer
 *                 | no                                         | AGAIN
 *                 v                                            v
 *              queue (bounded, else Busy)                    retry (in order of arrival, before the queue)
 * </pre>
 *
 * <p>The lane belongs to the native side: when its actor fails, queued requests are answered at
 * once, and those that the device holds are answered as the device lets go of them. Engine's
 * thread.
 */
public final class TaskLane {
  private static final TaskKind[] KINDS = TaskKind.values();

  private final EngineCore core;
  private final String name;
  private final LaneSettings settings;
  private final Queue<Pending> queue = new ArrayDeque<>();
  private final PriorityQueue<Pending> retry =
      new PriorityQueue<>(Comparator.comparingLong(Pending::sequence));
  private final int[] credits = new int[KINDS.length];
  private final RequestChecks checks;
  private @Nullable DocaContext context;
  private @Nullable DocaError closed;
  private long nextSequence;
  private int inFlight;
  private int againRounds;
  private long nextTryNs;
  private boolean creditReturned;

  /** A request that waits. */
  private record Pending(TaskRequest request, long sequence, long deadlineNs) {}

  TaskLane(EngineCore core, String name, LaneSettings settings) {
    this.core = core;
    this.name = name;
    this.settings = settings;
    this.checks = new RequestChecks(name);
  }

  /** Submissions may begin: the context runs with these kinds configured. */
  void open(DocaContext running, Map<TaskKind, TaskLimits> configured) {
    context = running;
    checks.limit(configured);
    for (TaskKind kind : configured.keySet()) {
      credits[kind.ordinal()] = settings.window();
    }
    pump(core.nowNs());
  }

  /** Takes a request; it is answered now or later, once. */
  public void accept(TaskRequest request) {
    DocaError refusal = closed != null ? closed : checks.unusable(request);
    if (refusal != null) {
      fail(request, refusal, Ownership.RETURNED);
      return;
    }
    long now = core.nowNs();
    long sequence = nextSequence++;
    long deadline = now + settings.deadlineNs();
    if (nothingWaits() && context != null && submit(request, sequence, deadline)) {
      return;
    }
    if (waiting() >= settings.queue()) {
      request
          .replyTo()
          .tell(new TaskReply.Busy(request.tag(), request.src(), request.dst(), waiting()));
      return;
    }
    queue.add(new Pending(request, sequence, deadline));
  }

  /**
   * Accepts no more: what waits is answered with the reason, what the device holds is answered when
   * it comes back.
   */
  void close(DocaError reason) {
    closed = reason;
    failAll(retry, reason);
    failAll(queue, reason);
  }

  int inFlight() {
    return inFlight;
  }

  int waiting() {
    return queue.size() + retry.size();
  }

  /** Once per turn of the loop: expired requests, retries, and whatever returned credit allows. */
  void turn(long nowNs) {
    expirePending(retry, nowNs);
    expirePending(queue, nowNs);
    if (creditReturned || (!retry.isEmpty() && nowNs - nextTryNs >= 0)) {
      pump(nowNs);
    }
  }

  /** A record of a task of this lane. */
  void onRecord(TaskSlot slot, CompletionRing record) {
    TaskRequest request = slot.request;
    if (request == null) {
      throw new IllegalStateException("slot " + slot.index + " of " + name + " holds no request");
    }
    boolean answered = slot.expired;
    long sequence = slot.sequence;
    long deadline = slot.deadlineNs;
    core.tasks().release(slot);
    credits[request.kind().ordinal()]++;
    inFlight--;
    creditReturned = true;
    if (answered) {
      giveBack(request);
    } else if (record.type() == RecordType.TASK_DONE) {
      complete(request, record);
    } else {
      onFailure(request, sequence, deadline, record);
    }
  }

  /** The request of a task that the device still holds has waited long enough. */
  void expireInFlight(TaskSlot slot) {
    TaskRequest request = slot.request;
    slot.expired = true;
    if (request != null) {
      fail(request, checks.timeOut(request, settings.deadlineNs()), Ownership.RETAINED);
    }
  }

  private void complete(TaskRequest request, CompletionRing record) {
    againRounds = 0;
    request.dst().length(Math.toIntExact(record.produced()));
    request
        .replyTo()
        .tell(
            new TaskReply.Completed(
                request.tag(),
                request.src(),
                request.dst(),
                record.checksum0(),
                record.checksum1()));
  }

  private void onFailure(
      TaskRequest request, long sequence, long deadlineNs, CompletionRing record) {
    boolean again =
        record.type() == RecordType.REFUSED && record.status() == DocaCode.AGAIN.value();
    if (again && closed == null) {
      retry.add(new Pending(request, sequence, deadlineNs));
      return;
    }
    String operation = record.type() == RecordType.REFUSED ? "doca_task_submit" : "doca_task";
    fail(
        request,
        DocaError.of(operation, record.status(), request.kind() + " task of " + name),
        Ownership.RETURNED);
  }

  /** Submits what waits, oldest first, as far as credit goes. */
  private void pump(long nowNs) {
    creditReturned = false;
    if (context == null || closed != null) {
      return;
    }
    if (!retry.isEmpty()) {
      if (nowNs - nextTryNs < 0) {
        return;
      }
      againRounds++;
      nextTryNs = againRounds <= settings.retryTurns() ? nowNs : nowNs + settings.retryDelayNs();
      if (!submitFrom(retry)) {
        return;
      }
    }
    submitFrom(queue);
  }

  /** Returns whether nothing is left in it. */
  private boolean submitFrom(Queue<Pending> source) {
    Pending next;
    while ((next = source.peek()) != null) {
      if (!submit(next.request(), next.sequence(), next.deadlineNs())) {
        return false;
      }
      source.remove();
    }
    return true;
  }

  /**
   * Hands a request to the device, or answers it when it cannot succeed. False: no room at the
   * moment.
   */
  private boolean submit(TaskRequest request, long sequence, long deadlineNs) {
    DocaError refusal = checks.refusal(request);
    if (refusal != null) {
      fail(request, refusal, Ownership.RETURNED);
      return true;
    }
    DocaContext running = context;
    int kind = request.kind().ordinal();
    if (running == null || credits[kind] == 0) {
      return false;
    }
    TaskSlot slot = core.tasks().acquire();
    if (slot == null) {
      return false;
    }
    slot.lane = this;
    slot.request = request;
    slot.sequence = sequence;
    slot.deadlineNs = deadlineNs;
    if (!core.submissions()
        .offer(
            UserData.pack(slot.index, slot.generation),
            running.handle(),
            request.kind(),
            request.src(),
            request.dst(),
            request.argument())) {
      core.tasks().release(slot);
      return false;
    }
    credits[kind]--;
    inFlight++;
    return true;
  }

  private void expirePending(Queue<Pending> waiting, long nowNs) {
    // Both queues are in order of arrival and every request has the same allowance: the head
    // expires first.
    Pending head;
    while ((head = waiting.peek()) != null && head.deadlineNs() - nowNs <= 0) {
      waiting.remove();
      fail(
          head.request(),
          checks.timeOut(head.request(), settings.deadlineNs()),
          Ownership.RETURNED);
    }
  }

  private void failAll(Queue<Pending> waiting, DocaError reason) {
    Pending next;
    while ((next = waiting.poll()) != null) {
      fail(next.request(), reason, Ownership.RETURNED);
    }
  }

  private static void fail(TaskRequest request, DocaError error, Ownership ownership) {
    request
        .replyTo()
        .tell(new TaskReply.Failed(request.tag(), error, request.src(), request.dst(), ownership));
  }

  private static void giveBack(TaskRequest request) {
    request.src().release();
    request.dst().release();
  }

  private boolean nothingWaits() {
    return queue.isEmpty() && retry.isEmpty();
  }
}
