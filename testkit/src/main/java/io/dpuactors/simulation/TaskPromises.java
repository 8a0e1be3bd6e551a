package io.dpuactors.simulation;

import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.util.HashMap;
import java.util.Map;

/** What a context of tasks promises about the time and the order of its answers. */
final class TaskPromises {
  private final Run run;
  private final boolean isOrdered;
  private final long deadlineNs;
  private final Map<Object, Long> last = new HashMap<>();
  private boolean isTimely = true;

  TaskPromises(Run run, TaskOptions options) {
    this.run = run;
    this.isOrdered = options.window().orElseThrow() == 1;
    this.deadlineNs = options.deadline().orElseThrow().toNanos();
  }

  /** A context that restarts may answer after the deadline. */
  void disturbed() {
    isTimely = false;
  }

  /**
   * Checks an answer.
   *
   * @param kind of the task: each kind has a window
   * @param afterNs time from the request to the answer
   */
  void answered(Object kind, TaskReply reply, long afterNs) {
    run.check(
        !isTimely || afterNs <= deadlineNs + run.slackNs(),
        "request %d was answered %d ns after its deadline of %d ns"
            .formatted(reply.tag(), afterNs - deadlineNs, deadlineNs));
    if (isOrdered && reply instanceof Completed) {
      Long before = last.put(kind, reply.tag());
      run.check(
          before == null || before < reply.tag(),
          "request %d completed after %d, with a window of 1".formatted(reply.tag(), before));
    }
  }
}
