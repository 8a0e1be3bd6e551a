package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.BackoffSupervisorStrategy;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests requests to a context that waits for the delay of a strategy with back-off. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BackOffTest {
  private static final String LOST = "the context stopped by itself";

  private static TaskOptions options(Duration backOff, Duration deadline) {
    return TaskOptions.defaults().withDeadline(deadline).withSupervision(strategy(backOff));
  }

  private static BackoffSupervisorStrategy strategy(Duration backOff) {
    return SupervisorStrategy.restartWithBackoff(backOff, backOff, 0);
  }

  private static TaskReply deflated(
      RunningSystem system, ActorRef<CompressProtocol.Command> context, BufferPool pool) {
    TestProbe<TaskReply> replies = system.kit.createTestProbe();
    context.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), replies.getRef()));
    TaskReply reply = replies.receiveMessage();
    RunningSystem.releaseBuffers(reply);
    return reply;
  }

  /** Returns a context that has lost its device and waits. */
  private static ActorRef<CompressProtocol.Command> waiting(
      RunningSystem system, BufferPool pool, Duration deadline) {
    ActorRef<CompressProtocol.Command> context =
        system.opened("compress", options(Duration.ofHours(1), deadline));
    FreshSoftDpu.DEVICE.faults("compress-deflate:lost:nth=1");
    assertThat(deflated(system, context, pool)).isInstanceOf(Failed.class);
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> system.open(Census.Resource.CONTEXT) == 0);
    return context;
  }

  @Test
  @ExpectedLog(LOST)
  void aRequestIsAnsweredAtItsDeadline() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2, 4096);
      ActorRef<CompressProtocol.Command> context = waiting(system, pool, Duration.ofSeconds(1));
      assertThat(((Failed) deflated(system, context, pool)).code()).isEqualTo(DocaCode.TIME_OUT);
      assertThat(system.stopEngine()).isEqualTo(Stopped.CLEAN);
    }
  }

  @Test
  @ExpectedLog(LOST)
  void stopTakesEffectAndAnswersTheWaitingRequests() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2, 4096);
      ActorRef<CompressProtocol.Command> context = waiting(system, pool, Duration.ofHours(1));
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      context.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), replies.getRef()));
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      context.tell(new Stop(stopped.getRef()));
      Failed failed = replies.expectMessageClass(Failed.class);
      assertThat(failed.code()).isEqualTo(DocaCode.SHUTDOWN);
      RunningSystem.releaseBuffers(failed);
      stopped.expectMessage(Stopped.CLEAN);
      stopped.expectTerminated(context);
      assertThat(system.stopEngine()).isEqualTo(Stopped.CLEAN);
    }
  }

  @Test
  @ExpectedLog(LOST)
  void theEndOfTheEngineAnswersTheWaitingRequests() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2, 4096);
      ActorRef<CompressProtocol.Command> context = waiting(system, pool, Duration.ofHours(1));
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      context.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), replies.getRef()));
      system.endEngine();
      Failed failed = replies.expectMessageClass(Failed.class);
      assertThat(failed.code()).isEqualTo(DocaCode.SHUTDOWN);
      RunningSystem.releaseBuffers(failed);
      replies.expectTerminated(system.engine);
    }
  }

  @Test
  @ExpectedLog(LOST)
  void theContextEndsAfterItsLastRestart() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2, 4096);
      TaskOptions once =
          TaskOptions.defaults()
              .withSupervision(
                  strategy(Duration.ofMillis(1))
                      .withMaxRestarts(1)
                      .withResetBackoffAfter(Duration.ofHours(1)));
      ActorRef<CompressProtocol.Command> context = system.opened("compress", once);
      FreshSoftDpu.DEVICE.faults("compress-deflate:lost:nth=1");
      assertThat(deflated(system, context, pool)).isInstanceOf(Failed.class);
      FreshSoftDpu.DEVICE.clearFaults();
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(1))
          .until(() -> deflated(system, context, pool) instanceof Completed);
      FreshSoftDpu.DEVICE.faults("compress-deflate:lost:nth=1");
      assertThat(deflated(system, context, pool)).isInstanceOf(Failed.class);
      system.kit.createTestProbe().expectTerminated(context);
      assertThat(system.stopEngine()).isEqualTo(Stopped.CLEAN);
    }
  }
}
