package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.COMPRESS_DEFLATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.internal.Rig.Answer;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the states of a context and its tasks in flight. The software DPU executes inline: no task
 * completes before the engine makes progress.
 */
class ContextTest {
  private static final int TASKS = 4;

  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(2, 4096);
  private final Buffer src = Rig.lease(pool, Inputs.text(1000));
  private final Buffer dst = Rig.lease(pool);

  private DocaContext start() {
    Rig.SOFT_DPU.execution(SoftDpu.Execution.INLINE);
    return rig.compress(TASKS, COMPRESS_DEFLATE);
  }

  private List<Long> offer(DocaContext context, int tasks) {
    return LongStream.range(0, tasks)
        .mapToObj(i -> rig.offer(context, COMPRESS_DEFLATE, src, dst, 0))
        .toList();
  }

  @AfterEach
  void end() {
    src.release();
    dst.release();
    rig.close();
  }

  @Test
  void statesComeAsRecords() {
    DocaContext context = start();
    rig.until(() -> context.state() == ContextState.RUNNING);
    rig.turn();
    Answer running = rig.states().get(rig.states().size() - 1);
    assertThat(running.next()).isEqualTo(ContextState.RUNNING);
    assertThat(running.context()).isEqualTo(context.handle());
    assertThat(running.userData()).isZero();
    context.stop();
    rig.until(() -> rig.states().size() > 1);
    Answer idle = rig.states().get(rig.states().size() - 1);
    assertThat(idle.next()).isEqualTo(ContextState.IDLE);
    assertThat(idle.previous()).isNotEqualTo(ContextState.IDLE);
  }

  @Test
  void aContextIsNamedAndCounted() {
    DocaContext context = start();
    assertThat(context.name()).isEqualTo("compress on " + rig.device.pciAddress());
    assertThat(rig.engine.census().count(Census.Resource.CONTEXT)).isEqualTo(1);
  }

  @Test
  void tasksBeyondTheWindowAreRefusedWithNoMemory() {
    DocaContext context = start();
    List<Long> tasks = offer(context, TASKS + 1);
    rig.engine.enter(0);
    assertThat(context.inflight()).isEqualTo(TASKS);
    assertThat(rig.engine.census().count(Census.Resource.TASK)).isEqualTo(TASKS);
    Answer beyond = rig.await(tasks.get(TASKS));
    assertThat(beyond.type()).isEqualTo(RecordType.REFUSED);
    assertThat(beyond.code()).isEqualTo(DocaCode.NO_MEMORY);
    tasks
        .subList(0, TASKS)
        .forEach(task -> assertThat(rig.await(task).type()).isEqualTo(RecordType.TASK_DONE));
    assertThat(context.inflight()).isZero();
    assertThat(rig.engine.census().count(Census.Resource.TASK)).isZero();
  }

  @Test
  void stopWithTasksInFlightAnswersEachOnce() {
    DocaContext context = start();
    rig.turn();
    rig.states().clear();
    List<Long> tasks = offer(context, TASKS);
    rig.engine.enter(0);
    assertThat(context.stop()).isEqualTo(DocaCode.IN_PROGRESS);
    assertThatThrownBy(context::destroy)
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("dpubridge_context_detach: DOCA_ERROR_IN_USE (3)");
    rig.until(() -> context.state() == ContextState.IDLE && rig.turn() == 0);
    assertThat(rig.order()).containsExactlyInAnyOrderElementsOf(tasks);
    tasks.forEach(
        task ->
            assertThat(rig.await(task).type()).isIn(RecordType.TASK_DONE, RecordType.TASK_FAILED));
    assertThat(rig.states()).extracting(Answer::next).last().isEqualTo(ContextState.IDLE);
  }

  @Test
  void entriesThatWaitWhileTheContextStopsAreRefused() {
    DocaContext context = start();
    List<Long> tasks = offer(context, 2);
    context.stop();
    tasks.forEach(task -> assertThat(rig.await(task).type()).isEqualTo(RecordType.REFUSED));
  }

  @Test
  void aStoppedContextStartsAgain() {
    DocaContext context = start();
    assertThat(rig.await(offer(context, 1).get(0)).code()).isEqualTo(DocaCode.SUCCESS);
    context.stop();
    rig.until(() -> context.state() == ContextState.IDLE);
    assertThat(context.start()).isEqualTo(DocaCode.SUCCESS);
    offer(context, TASKS)
        .forEach(task -> assertThat(rig.await(task).code()).isEqualTo(DocaCode.SUCCESS));
  }

  @Test
  void stoppingAnIdleContextIsNothingToDo() {
    DocaContext context = TaskFunctions.of(TaskLibrary.COMPRESS).create(rig.engine, rig.device, 0);
    assertThat(context.state()).isEqualTo(ContextState.IDLE);
    assertThat(context.stop()).isEqualTo(DocaCode.SUCCESS);
    context.destroy();
  }

  @Test
  void drainFreesTasksAsTheyEnd() {
    DocaContext context = start();
    List<Long> tasks = offer(context, 2);
    rig.engine.enter(0);
    context.drain();
    tasks.forEach(task -> assertThat(rig.await(task).code()).isEqualTo(DocaCode.SUCCESS));
    assertThat(Rig.SOFT_DPU.census()).containsEntry("tasks", 0L);
    context.drain();
    assertThat(context.stop()).isIn(DocaCode.SUCCESS, DocaCode.IN_PROGRESS);
  }

  @Test
  void aDestroyedContextIsRefused() {
    DocaContext context = start();
    rig.end(context);
    context.destroy();
    Answer answer = rig.await(offer(context, 1).get(0));
    assertThat(answer.type()).isEqualTo(RecordType.REFUSED);
    assertThat(answer.code()).isEqualTo(DocaCode.NOT_FOUND);
    assertThat(context.state()).isEqualTo(ContextState.IDLE);
    assertThat(context.inflight()).isZero();
    assertThatThrownBy(context::start).hasMessageContaining("was destroyed");
    assertThatThrownBy(context::stop).hasMessageContaining("was destroyed");
    assertThatThrownBy(context::drain).hasMessageContaining("was destroyed");
  }

  @Test
  void aTaskThatDocaRefusesForNowIsSubmittedAgain() {
    DocaContext context = start();
    Rig.SOFT_DPU.faults("compress-deflate:again=3:nth=1");
    List<Long> tasks = offer(context, TASKS);
    rig.engine.enter(0);
    assertThat(context.inflight()).isZero();
    assertThat(rig.engine.retryNs()).isPositive();
    tasks.forEach(task -> assertThat(rig.await(task).code()).isEqualTo(DocaCode.SUCCESS));
    assertThat(rig.engine.retryNs()).isZero();
  }

  @Test
  void aLostDeviceStopsItsContextAndDoesNotStartItAgain() {
    DocaContext context = start();
    Rig.SOFT_DPU.faults("compress-deflate:lost:nth=1");
    List<Long> tasks = offer(context, TASKS);
    rig.until(() -> context.state() == ContextState.IDLE && rig.turn() == 0);
    assertThat(rig.order()).containsExactlyInAnyOrderElementsOf(tasks);
    assertThat(rig.await(tasks.get(0)).type()).isEqualTo(RecordType.TASK_FAILED);
    assertThat(rig.states())
        .extracting(Answer::next)
        .endsWith(ContextState.STOPPING, ContextState.IDLE);
    assertThatThrownBy(context::start)
        .isInstanceOf(DocaException.class)
        .hasMessage("doca_ctx_start: DOCA_ERROR_INITIALIZATION (8): " + context.name());
  }

  @Test
  void unsupportedKindsAreRefusedAtConfiguration() {
    Rig.SOFT_DPU.profile("bluefield3");
    DocaContext context = TaskFunctions.of(TaskLibrary.COMPRESS).create(rig.engine, rig.device, 0);
    assertThatThrownBy(() -> context.configure(COMPRESS_DEFLATE, TASKS))
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("NOT_SUPPORTED")
        .hasMessageContaining("COMPRESS_DEFLATE of compress on " + rig.device.pciAddress());
    context.destroy();
  }

  @Test
  void statesOfAContextContainItsUserData() {
    DocaContext context =
        TaskFunctions.of(TaskLibrary.COMPRESS).create(rig.engine, rig.device, Long.MIN_VALUE + 5);
    context.configure(COMPRESS_DEFLATE, 1);
    context.start();
    rig.until(() -> !rig.states().isEmpty());
    assertThat(rig.states()).extracting(Answer::userData).containsOnly(Long.MIN_VALUE + 5);
    rig.end(context);
  }
}
