package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.simulation.TaskPromises.Lane;
import io.dpuactors.testkit.HeapBuffers;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the checks of the time and the order of answers. */
class TaskPromisesTest {
  private static final long DEADLINE_NS = 5_000;
  private static final Lane COPY = new Lane(TaskKind.DMA_MEMCPY, "one");
  private static final Lane HASH = new Lane(TaskKind.SHA_HASH, "one");

  private static final DocaError ENDED =
      DocaError.of("stop", DocaCode.SHUTDOWN.value(), "the context ended");

  private final BufferPool pool = HeapBuffers.pool(2, 64);
  private final Buffer src = Objects.requireNonNull(pool.lease());
  private final Buffer dst = Objects.requireNonNull(pool.lease());
  private final Run run = Runs.of(new StillControl());

  @AfterEach
  void closePool() {
    src.release();
    dst.release();
    pool.close();
  }

  private TaskPromises window(int tasks) {
    return window(tasks, false);
  }

  private TaskPromises window(int tasks, boolean isGroup) {
    TaskOptions options =
        TaskOptions.defaults()
            .withWindow(tasks)
            .withQueue(3)
            .withDeadline(Duration.ofNanos(DEADLINE_NS));
    return new TaskPromises(run, options, 2, isGroup);
  }

  private TaskReply completed(long tag) {
    return new Completed(tag, src, dst, 0, 0);
  }

  @Test
  void aTimeOutWithoutADelayFailsTheRun() {
    DocaError late = DocaError.of("doca_task", DocaCode.TIME_OUT.value(), "no answer");
    TaskReply reply = new Failed(0, late, src, dst, Ownership.RETURNED);
    window(2).answered(COPY, reply, DEADLINE_NS);
    assertThat(run.problem()).as("a short deadline").isNull();

    Duration second = Duration.ofSeconds(1);
    TaskOptions longer = TaskOptions.defaults().withWindow(2).withQueue(3).withDeadline(second);
    TaskPromises promises = new TaskPromises(run, longer, 2, false);
    promises.disturbed();
    promises.answered(COPY, reply, second.toNanos());
    assertThat(run.problem()).as("a disturbed context").isNull();
    new TaskPromises(run, longer, 2, false).answered(COPY, reply, second.toNanos());
    assertThat(run.problem()).contains("request 0 timed out, and the device has not delayed it");
  }

  @Test
  void aTimeOutBeforeTheDeadlineFailsTheRun() {
    DocaError late = DocaError.of("doca_task", DocaCode.TIME_OUT.value(), "no answer");
    TaskReply reply = new Failed(0, late, src, dst, Ownership.RETURNED);
    Duration limit = Duration.ofMillis(9);
    TaskOptions options = TaskOptions.defaults().withWindow(2).withQueue(3).withDeadline(limit);
    TaskPromises promises = new TaskPromises(run, options, 2, false);
    promises.disturbed();
    long earliestNs = limit.toNanos() - Pace.NONE.slackNs();
    promises.answered(COPY, reply, earliestNs);
    assertThat(run.problem()).isNull();
    promises.answered(COPY, reply, earliestNs - 1);
    assertThat(run.problem())
        .isEqualTo("request 0 timed out after 7999999 ns, before its deadline of 9000000 ns");
  }

  @Test
  void anAnswerAfterTheDeadlineFailsTheRun() {
    TaskPromises promises = window(2);
    promises.answered(COPY, completed(0), DEADLINE_NS + Pace.NONE.slackNs());
    assertThat(run.problem()).isNull();
    promises.answered(COPY, completed(1), DEADLINE_NS + Pace.NONE.slackNs() + 1);
    assertThat(run.problem()).contains("request 1").contains("after its deadline of 5000 ns");
  }

  @Test
  void aDisturbedContextMayBeLate() {
    TaskPromises promises = window(2);
    promises.disturbed();
    promises.answered(COPY, completed(0), Long.MAX_VALUE);
    assertThat(run.problem()).isNull();
  }

  @Test
  void aWindowOfOneKeepsTheOrderOfEachKind() {
    TaskPromises promises = window(1);
    promises.answered(COPY, completed(1), 0);
    promises.answered(HASH, completed(0), 0);
    assertThat(run.problem()).isNull();
    promises.answered(COPY, completed(0), 0);
    assertThat(run.problem()).contains("request 0 completed after 1");
  }

  @Test
  void aLargerWindowHasNoOrder() {
    TaskPromises promises = window(2);
    promises.answered(COPY, completed(1), 0);
    promises.answered(COPY, completed(0), 0);
    assertThat(run.problem()).isNull();
  }

  private void endAndComplete(TaskPromises promises) {
    promises.answered(COPY, new Failed(0, ENDED, src, dst, Ownership.RETURNED), 0);
    promises.answered(COPY, completed(1), 0);
    promises.answered(HASH, completed(2), 0);
    promises.answered(COPY, completed(3), 0);
    assertThat(run.problem()).isNull();
    promises.answered(COPY, completed(4), 0);
  }

  @Test
  void anEndedContextCompletesOneWindow() {
    endAndComplete(window(2));
    assertThat(run.problem()).contains("3 tasks completed after the end");
  }

  @Test
  void aDisturbedContextAndAGroupMayCompleteMore() {
    TaskPromises disturbed = window(2);
    disturbed.disturbed();
    endAndComplete(disturbed);
    endAndComplete(window(2, true));
    assertThat(run.problem()).isNull();
  }

  @Test
  void aContextHoldsItsWindowsAndItsQueue() {
    window(2, true).refused(9, 8, 0);
    window(2).refused(9, 7, 0);
    assertThat(run.problem()).isNull();
    window(2).refused(9, 8, 0);
    assertThat(run.problem()).contains("request 9 is refused, and 8 are accepted");
  }

  @Test
  void aContextRefusesNoRequestBeforeItsQueueIsFull() {
    window(2).refused(9, 3, 0);
    window(2).refused(9, 1, 2);
    window(2, true).refused(9, 0, 0);
    TaskPromises disturbed = window(2);
    disturbed.disturbed();
    disturbed.refused(9, 0, 0);
    assertThat(run.problem()).isNull();
    window(2).refused(9, 2, 0);
    assertThat(run.problem()).contains("request 9 is refused early").contains("holds 2 at most");
  }

  @Test
  void aContextAloneRefusesNoRequestBeforeItsWindowIsFull() {
    alone(2).refused(9, 5, 0);
    alone(16).refused(9, 3 + TaskPromises.SHORTEST_RING, 0);
    TaskPromises late = alone(2);
    DocaError error = DocaError.of("doca_task", DocaCode.TIME_OUT.value(), "no answer");
    late.answered(COPY, new Failed(0, error, src, dst, Ownership.RETAINED), DEADLINE_NS);
    late.refused(9, 4, 0);
    assertThat(run.problem()).isNull();
    alone(2).refused(9, 4, 0);
    assertThat(run.problem()).contains("request 9 is refused early").contains("holds 4 at most");
  }

  private TaskPromises alone(int tasks) {
    TaskPromises promises = window(tasks);
    promises.alone();
    return promises;
  }
}
