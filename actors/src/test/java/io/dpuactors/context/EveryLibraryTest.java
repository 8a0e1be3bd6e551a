package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static io.dpuactors.testing.RunningSystem.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.AnyContext;
import io.dpuactors.testing.AnySource;
import io.dpuactors.testing.AnyTask;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the contexts of every row of {@link TaskLibrary} with each of its kinds: start, answers,
 * buffers, capabilities and census. A new row is tested without new code. A kind that decodes its
 * input has a line in {@link AnySource}. {@link EveryContextTest} has the tests that sync events
 * and sessions share.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EveryLibraryTest {
  private static final String KINDS = "io.dpuactors.testing.AnyTask#kinds";
  private static final int BYTES = 512;

  @ParameterizedTest
  @MethodSource(KINDS)
  void everyRequestHasOneAnswer(TaskKind kind) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = opened(system, kind, TaskOptions.defaults());
      TestProbe<TaskReply> replies = send(system, kind, context, 100);
      List<TaskReply> all = receive(replies, 100);
      assertThat(all).allMatch(Completed.class::isInstance);
      assertThat(all).allMatch(reply -> reply.dst().length() > 0);
      all.forEach(RunningSystem::releaseBuffers);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  void anEmptySourceIsRefusedAndTheContextContinues(TaskKind kind) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = opened(system, kind, TaskOptions.defaults());
      BufferPool pool = system.pool(2, BYTES);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      TaskHandle object = system.object(TaskLibrary.of(kind), context);
      context.tell(new AnyTask(kind, object, buffer(pool), buffer(pool), 0, replies.getRef()));
      Failed failed = (Failed) replies.receiveMessage();
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(failed.error().about()).contains("the source buffer is empty");
      releaseBuffers(failed);
      TaskReply after = send(system, kind, context, 1).receiveMessage();
      assertThat(after).isInstanceOf(Completed.class);
      releaseBuffers(after);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @EnumSource
  void capabilitiesHaveAllKindsOfTheFullDevice(TaskLibrary library) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<LocalMessage> context = system.opened(library, TaskOptions.defaults());
      TestProbe<TaskCapabilities> answer = system.kit.createTestProbe();
      context.tell(new AnyTask.Query(answer.getRef()));
      TaskCapabilities capabilities = answer.receiveMessage();
      assertThat(capabilities.limits()).containsOnlyKeys(library.kinds());
      // DOCA reports no limit for erasure coding.
      assertThat(capabilities.maxTasks())
          .isEqualTo(library == TaskLibrary.ERASURE_CODING ? Integer.MAX_VALUE : 8192);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anImpossibleContextIsATypedFailure(TaskLibrary library) {
    try (RunningSystem system = RunningSystem.create()) {
      TaskOptions defaults = TaskOptions.defaults();
      assertThat(refused(system, library, defaults.withWindow(100_000)).code())
          .isEqualTo(DocaCode.INVALID_VALUE);
      for (int window : new int[] {10_000_000, Integer.MAX_VALUE}) {
        DocaError large = refused(system, library, defaults.withWindow(window));
        assertThat(large.code()).isEqualTo(DocaCode.INVALID_VALUE);
        assertThat(large.about()).contains("tasks in flight", "more than");
      }
      assertThat(refused(system, library, defaults.withWindow(0)).about()).contains("window is 0");
      assertThat(refused(system, library, defaults.onDevice("0000:99:00.0")).code())
          .isEqualTo(DocaCode.NOT_FOUND);
      assertThat(refused(system, library, defaults.withKinds(TaskKind.COMCH_CLIENT_SEND)).code())
          .isEqualTo(DocaCode.NOT_SUPPORTED);
      DocaError resume =
          refused(system, library, defaults.withSupervision(SupervisorStrategy.resume()));
      assertThat(resume.code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(resume.about()).contains("SupervisorStrategy.resume()", "restart()");
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static DocaError refused(RunningSystem system, TaskLibrary library, TaskOptions options) {
    return ((OpenFailed<?>) system.open(library, options)).error();
  }

  private static ActorRef<LocalMessage> opened(
      RunningSystem system, TaskKind kind, TaskOptions options) {
    return new AnyContext.OfKind(kind).opened(system, options);
  }

  /** Sends requests with the tags 0 to count - 1. */
  private static TestProbe<TaskReply> send(
      RunningSystem system, TaskKind kind, ActorRef<LocalMessage> context, int count) {
    TestProbe<TaskReply> replies = system.kit.createTestProbe();
    new AnyContext.OfKind(kind).sendTasks(system, context, count, replies.getRef());
    return replies;
  }

  /** Receives the answers of {@link #send} and checks that each request has one. */
  private static List<TaskReply> receive(TestProbe<TaskReply> replies, int count) {
    List<TaskReply> all = replies.receiveSeveralMessages(count);
    assertThat(tags(all))
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, count).boxed().toList());
    return all;
  }
}
