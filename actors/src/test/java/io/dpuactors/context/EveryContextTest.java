package io.dpuactors.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.AnyContext;
import io.dpuactors.testing.AnyContext.Answer;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the contexts of all libraries and sync events, with each of their kinds of tasks and with
 * sessions: AGAIN, deadline, lost device, restart, stop and census, and Busy without sessions. A
 * new row of {@code TaskLibrary} is tested without new code. {@link EveryLibraryTest} has the tests
 * of buffers.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EveryContextTest {
  private static final String ALL = "io.dpuactors.testing.AnyContext#all";

  /** The first tasks of a context meet a device that accepts none of them at first. */
  @ParameterizedTest
  @MethodSource(ALL)
  void aRefusedTaskIsSubmittedAgain(AnyContext any) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = any.opened(system, TaskOptions.defaults());
      FreshSoftDpu.DEVICE.faults("*:again=3:nth=2");
      TestProbe<Object> replies = send(system, any, context, 20);
      assertThat(receive(replies, 20)).allMatch(Answer::isDone);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource("io.dpuactors.testing.AnyContext#queuing")
  void requestsBeyondWindowAndQueueGetBusy(AnyContext any) {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (RunningSystem system = RunningSystem.create()) {
      TaskOptions options = TaskOptions.defaults().withWindow(3).withQueue(2);
      ActorRef<LocalMessage> context = any.opened(system, options);
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its tasks
      TestProbe<Object> replies = send(system, any, context, 12);
      List<Answer> busy = answers(replies, 7);
      FreshSoftDpu.DEVICE.manualClock(false);
      List<Answer> done = answers(replies, 5);
      assertThat(busy).allMatch(Answer::isBusy);
      assertThat(busy).extracting(Answer::tag).containsExactly(5L, 6L, 7L, 8L, 9L, 10L, 11L);
      assertThat(done).allMatch(Answer::isDone);
      assertThat(done).extracting(Answer::tag).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aLateRequestIsAnsweredOnceAtItsDeadline(AnyContext any) {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (RunningSystem system = RunningSystem.create()) {
      TaskOptions options = TaskOptions.defaults().withDeadline(Duration.ofMillis(50));
      ActorRef<LocalMessage> context = any.opened(system, options);
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its tasks
      TestProbe<Object> replies = send(system, any, context, 1);
      assertThat(receive(replies, 1).get(0).code()).contains(DocaCode.TIME_OUT);
      FreshSoftDpu.DEVICE.manualClock(false);
      assertThat(system.stopEngine().clean()).isTrue();
      replies.expectNoMessage(Duration.ZERO);
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  @ExpectedLog("the context stopped by itself")
  void aContextThatLosesItsDeviceAnswersAllAndRestarts(AnyContext any) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = any.opened(system, TaskOptions.defaults().withWindow(5));
      FreshSoftDpu.DEVICE.faults("*:delay=2ms;*:lost:nth=20");
      TestProbe<Object> replies = send(system, any, context, 40);
      assertThat(receive(replies, 40)).anyMatch(Answer::isFailed).anyMatch(Answer::isDone);
      FreshSoftDpu.DEVICE.clearFaults();
      assertThat(receive(send(system, any, context, 1), 1)).allMatch(Answer::isDone);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  @ExpectedLog("the context stopped by itself")
  void aContextThatMayNotRestartEndsAndItsMailboxIsAnswered(AnyContext any) {
    try (RunningSystem system = RunningSystem.create()) {
      TaskOptions options = TaskOptions.defaults().withSupervision(SupervisorStrategy.stop());
      ActorRef<LocalMessage> context = any.opened(system, options);
      FreshSoftDpu.DEVICE.faults("*:lost:nth=1");
      TestProbe<Object> replies = send(system, any, context, 50);
      replies.expectTerminated(context);
      assertThat(receive(replies, 50)).anyMatch(Answer::isFailed);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void stopAnswersAllRequests(AnyContext any) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = any.opened(system, TaskOptions.defaults());
      FreshSoftDpu.DEVICE.faults("*:delay=1ms");
      TestProbe<Object> replies = send(system, any, context, 100);
      TestProbe<Stopped> stops = system.kit.createTestProbe();
      context.tell(new Stop(stops.getRef()));
      context.tell(new Stop(stops.getRef()));
      List<Answer> all = receive(replies, 100);
      assertThat(all).noneMatch(Answer::isBusy);
      assertThat(all)
          .filteredOn(Answer::isFailed)
          .allMatch(answer -> answer.code().orElseThrow() == DocaCode.SHUTDOWN);
      replies.expectTerminated(context);
      assertThat(stops.receiveSeveralMessages(2)).containsOnly(Stopped.CLEAN);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** Sends requests with the tags 0 to count - 1. */
  private static TestProbe<Object> send(
      RunningSystem system, AnyContext any, ActorRef<LocalMessage> context, int count) {
    TestProbe<Object> replies = system.kit.createTestProbe();
    any.send(system, context, count, replies.getRef());
    return replies;
  }

  /** Receives the answers of {@link #send}, and checks that each request has one. */
  private static List<Answer> receive(TestProbe<Object> replies, int count) {
    List<Answer> all = answers(replies, count);
    assertThat(all)
        .extracting(Answer::tag)
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, count).boxed().toList());
    return all;
  }

  private static List<Answer> answers(TestProbe<Object> replies, int count) {
    return replies.receiveSeveralMessages(count).stream().map(Answer::released).toList();
  }
}
