package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static io.dpuactors.testing.RunningSystem.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the compress context through its public protocol: open, failure, restart and stop. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class CompressContextTest {
  private static final byte[] CONTENT = new byte[1000];

  @Test
  void aThousandRequestsInFlightAndQueuedAreAllAnsweredWhenItStops() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2000, 2048);
      FreshSoftDpu.DEVICE.faults("compress-deflate:delay=1ms");
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", deflateOnly().withWindow(64));
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      for (int i = 0; i < 1000; i++) {
        compress.tell(deflate(pool, i, replies));
      }
      compress.tell(new Stop());
      List<TaskReply> all = replies.receiveSeveralMessages(1000);
      assertThat(tags(all)).hasSize(1000);
      assertThat(all).allMatch(completedOr(DocaCode.SHUTDOWN));
      replies.expectTerminated(compress);
      all.forEach(RunningSystem::releaseBuffers);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  @ExpectedLog("the context stopped by itself")
  void aContextThatTheDeviceStopsAnswersAllAndRestarts() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(200, 2048);
      FreshSoftDpu.DEVICE.faults("compress-deflate:delay=2ms;compress-deflate:lost:nth=20");
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", deflateOnly().withWindow(8));
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      for (int i = 0; i < 40; i++) {
        compress.tell(deflate(pool, i, replies));
      }
      List<TaskReply> all = replies.receiveSeveralMessages(40);
      assertThat(tags(all)).hasSize(40);
      assertThat(all).anyMatch(r -> r instanceof Failed).anyMatch(r -> r instanceof Completed);
      all.forEach(RunningSystem::releaseBuffers);
      FreshSoftDpu.DEVICE.clearFaults();
      compress.tell(deflate(pool, 99, replies));
      TaskReply after = replies.receiveMessage();
      assertThat(after).isInstanceOf(Completed.class);
      releaseBuffers(after);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  @ExpectedLog("the context stopped by itself")
  void aContextThatMayNotRestartEndsAndItsMailboxIsAnsweredToo() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(200, 2048);
      FreshSoftDpu.DEVICE.faults("compress-deflate:lost:nth=1");
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", deflateOnly().withSupervision(SupervisorStrategy.stop()));
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      for (int i = 0; i < 50; i++) {
        compress.tell(deflate(pool, i, replies));
      }
      replies.expectTerminated(compress);
      // The actor has ended before this request arrives.
      compress.tell(deflate(pool, 50, replies));
      List<TaskReply> all = replies.receiveSeveralMessages(51);
      assertThat(tags(all)).hasSize(51);
      all.forEach(RunningSystem::releaseBuffers);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  /** A failed context has no native context to resume with. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void resumeIsRefusedForCompressAndDma(boolean logs) {
    SupervisorStrategy resume = SupervisorStrategy.resume().withLoggingEnabled(logs);
    try (RunningSystem system = RunningSystem.create()) {
      assertResumeIsRefused(system.open("compress", deflateOnly().withSupervision(resume)));
      assertResumeIsRefused(system.openDma("dma", TaskOptions.defaults().withSupervision(resume)));
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  private static void assertResumeIsRefused(ContextReply<?> reply) {
    assertThat(reply).isInstanceOf(OpenFailed.class);
    DocaError error = ((OpenFailed<?>) reply).error();
    assertThat(error.code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(error.about()).contains("SupervisorStrategy.resume()", "restart()");
  }

  @Test
  void aRequestThatIsLateIsAnsweredAtItsDeadline() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 2048);
      FreshSoftDpu.DEVICE.faults("compress-deflate:delay=300ms");
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", deflateOnly().withDeadline(Duration.ofMillis(50)));
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      compress.tell(deflate(pool, 1, replies));
      Failed failed = (Failed) replies.receiveMessage();
      assertThat(failed.code()).isEqualTo(DocaCode.TIME_OUT);
      assertThat(failed.ownership()).isEqualTo(Ownership.RETAINED);
      assertThat(system.stopEngine().clean()).isTrue();
      replies.expectNoMessage(Duration.ZERO);
    }
  }

  @Test
  void aDeviceWithoutTheKindIsATypedFailure() {
    FreshSoftDpu.DEVICE.profile("bluefield3");
    try (RunningSystem system = RunningSystem.create()) {
      OpenFailed<?> failed = (OpenFailed<?>) system.open("compress", deflateOnly());
      assertThat(failed.error().code()).isEqualTo(DocaCode.NOT_SUPPORTED);
      // A task kind that the device supports still works.
      system.opened("inflate", TaskOptions.defaults().withKinds(TaskKind.DECOMPRESS_DEFLATE));
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void anUnknownDeviceIsNamed() {
    try (RunningSystem system = RunningSystem.create()) {
      OpenFailed<?> failed =
          (OpenFailed<?>) system.open("compress", TaskOptions.defaults().onDevice("0000:99:00.0"));
      assertThat(failed.error().code()).isEqualTo(DocaCode.NOT_FOUND);
      assertThat(failed.error().toString()).contains("0000:99:00.0");
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void aWindowBeyondTheDeviceNamesTheLimit() {
    try (RunningSystem system = RunningSystem.create()) {
      OpenFailed<?> failed =
          (OpenFailed<?>) system.open("compress", deflateOnly().withWindow(10_000_000));
      assertThat(failed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(failed.error().about()).contains("limit");
      failed = (OpenFailed<?>) system.open("compress", deflateOnly().withWindow(0));
      assertThat(failed.error().about()).contains("window is 0");
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void tellsWhatItsDeviceCanDo() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      TestProbe<TaskCapabilities> probe = system.kit.createTestProbe();
      compress.tell(new CompressProtocol.GetCapabilities(probe.getRef()));
      assertThat(probe.receiveMessage().of(TaskKind.COMPRESS_DEFLATE).supported()).isTrue();
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  private static TaskOptions deflateOnly() {
    return TaskOptions.defaults().withKinds(TaskKind.COMPRESS_DEFLATE);
  }

  private static Deflate deflate(BufferPool pool, long tag, TestProbe<TaskReply> replies) {
    Buffer src = buffer(pool, CONTENT);
    return new Deflate(src, buffer(pool), tag, replies.getRef());
  }

  private static Predicate<TaskReply> completedOr(DocaCode code) {
    return reply -> reply instanceof Completed || (reply instanceof Failed f && f.code() == code);
  }
}
