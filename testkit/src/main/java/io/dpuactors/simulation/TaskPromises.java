package io.dpuactors.simulation;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of a context of tasks for the time, the order and the number of its answers. */
final class TaskPromises {
  /**
   * The tasks of one window.
   *
   * @param context identifies the context since its opening
   */
  record Lane(TaskKind kind, Object context) {}

  /** Effects of faults that delay all tasks of a context: a failed one may stop it. */
  private static final List<String> DELAYS = List.of("delayed", "failed", "lost");

  /** Time in which all requests of a run end without faults, in slacks of the run. */
  private static final int NEEDED_SLACKS = 20;

  /** Longest time from a refusal to the next attempt, nanoseconds. */
  private static final long RETRY_NS = 2_000_000;

  /** Entries of the shortest submission ring of a run. A full ring holds requests back. */
  static final int SHORTEST_RING = 4;

  private final Run run;
  private final int window;
  private final int queue;
  private final int kinds;
  private final boolean isGroup;
  private final long deadlineNs;
  private final Map<Lane, Long> last = new HashMap<>();
  private final Set<Object> ended = new HashSet<>();
  private final Map<Lane, Integer> afterEnd = new HashMap<>();
  private boolean isUndisturbed = true;
  private boolean isAlone;
  private int retained;

  /**
   * Creates the promises of a context.
   *
   * @param isGroup whether several engines share the requests: each has a window and a queue
   */
  TaskPromises(Run run, TaskOptions options, int kinds, boolean isGroup) {
    this.run = run;
    this.window = options.window().orElseThrow();
    this.queue = options.queue().orElseThrow();
    this.kinds = kinds;
    this.isGroup = isGroup;
    this.deadlineNs = options.deadline().orElseThrow().toNanos();
  }

  /** Returns the number of tasks that the bridge and the device may hold, or more. */
  int slots() {
    return kinds * (window + queue);
  }

  /** No other context uses the submission ring of the engine. */
  void alone() {
    isAlone = true;
  }

  /** A context that restarts may answer after the deadline, and holds requests of its last life. */
  void disturbed() {
    isUndisturbed = false;
  }

  /**
   * Checks an answer.
   *
   * @param afterNs time from the request to the answer
   */
  void answered(Lane lane, TaskReply reply, long afterNs) {
    run.check(
        !isUndisturbed || afterNs <= deadlineNs + run.slackNs(),
        "request %d was answered %d ns after its deadline of %d ns",
        reply.tag(),
        afterNs - deadlineNs,
        deadlineNs);
    run.check(
        !isTimeOut(reply) || hasJumped() || afterNs >= deadlineNs - run.slackNs(),
        "request %d timed out after %d ns, before its deadline of %d ns",
        reply.tag(),
        afterNs,
        deadlineNs);
    run.check(
        !isUndisturbed || !isTimeOut(reply) || mayTimeOut(),
        "request %d timed out, and the device has not delayed it",
        reply.tag());
    if (reply.ownership() == Ownership.RETAINED) {
      retained++;
    }
    if (reply instanceof Completed) {
      completed(lane, reply.tag());
    } else if (reply instanceof Failed failed && failed.code() == DocaCode.SHUTDOWN) {
      ended.add(lane.context());
    }
  }

  /** Returns whether a step was long. An engine counts a deadline from the begin of its step. */
  private boolean hasJumped() {
    return run.reached().containsKey(Disturbance.JUMP_CLOCK.name());
  }

  private static boolean isTimeOut(TaskReply reply) {
    return reply instanceof Failed failed && failed.code() == DocaCode.TIME_OUT;
  }

  /** A request waits for slow tasks, and a refused task until the bridge submits it again. */
  private boolean mayTimeOut() {
    long neededNs = NEEDED_SLACKS * run.slackNs() + RETRY_NS * run.faultCount("again");
    return isDelayed() || deadlineNs < neededNs;
  }

  private boolean isDelayed() {
    return DELAYS.stream().anyMatch(effect -> run.faultCount(effect) > 0);
  }

  /** A window of 1 keeps the order. An ended context completes the tasks on the device only. */
  private void completed(Lane lane, long tag) {
    Long before = window == 1 ? last.put(lane, tag) : null;
    run.check(
        before == null || before < tag,
        "request %d completed after %d, with a window of 1",
        tag,
        before);
    if (ended.contains(lane.context())) {
      int count = afterEnd.merge(lane, 1, Integer::sum);
      run.check(
          !isUndisturbed || isGroup || count <= window,
          "%d tasks completed after the end of a context with a window of %d",
          count,
          window);
    }
  }

  /**
   * Checks an answer Busy.
   *
   * @param accepted earlier requests without an answer
   * @param others other requests that the context may hold, at most
   */
  void refused(long tag, int accepted, int others) {
    run.check(
        !isUndisturbed || isGroup || accepted <= kinds * window + queue,
        "request %d is refused, and %d are accepted: the window is %d, the queue %d",
        tag,
        accepted,
        window,
        queue);
    int held = accepted + others + retained;
    run.check(
        !isUndisturbed || isGroup || held >= leastHeld(),
        "request %d is refused early: the context holds %d at most, its window is %d, its queue %d",
        tag,
        held,
        window,
        queue);
  }

  /**
   * Returns the least number of requests that fill a context. A full submission ring, and a context
   * that restarts after a fault, keep the window empty.
   */
  private int leastHeld() {
    return isAlone && !isDelayed() ? queue + Math.min(window, SHORTEST_RING) : queue;
  }
}
