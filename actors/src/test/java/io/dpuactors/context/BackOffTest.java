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
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests requests to a context that waits for the delay of a strategy with back-off. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BackOffTest {
  private static final String LOST = "the context stopped by itself";
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private RunningSystem system;
  private BufferPool pool;

  @BeforeEach
  void open() {
    system = RunningSystem.create();
    pool = system.pool(2, 4096);
  }

  @AfterEach
  void close() {
    system.close();
  }

  @Test
  @ExpectedLog(LOST)
  void aRequestIsAnsweredAtItsDeadline() {
    ActorRef<CompressProtocol.Command> context = waiting(Duration.ofSeconds(1));
    assertFails(deflate(context), DocaCode.TIME_OUT);
    assertThat(system.stopEngine()).isEqualTo(Stopped.CLEAN);
  }

  @Test
  @ExpectedLog(LOST)
  void stopTakesEffectAndAnswersTheWaitingRequests() {
    ActorRef<CompressProtocol.Command> context = waiting(HOUR);
    TestProbe<TaskReply> replies = deflate(context);
    TestProbe<Stopped> stopped = system.kit.createTestProbe();
    context.tell(new Stop(stopped.getRef()));
    assertFails(replies, DocaCode.SHUTDOWN);
    stopped.expectMessage(Stopped.CLEAN);
    stopped.expectTerminated(context);
    assertThat(system.stopEngine()).isEqualTo(Stopped.CLEAN);
  }

  @Test
  @ExpectedLog(LOST)
  void theEndOfTheEngineAnswersTheWaitingRequests() {
    TestProbe<TaskReply> replies = deflate(waiting(HOUR));
    system.endEngine();
    assertFails(replies, DocaCode.SHUTDOWN);
    replies.expectTerminated(system.engine);
  }

  @Test
  @ExpectedLog(LOST)
  void theContextEndsAfterItsLastRestart() {
    ActorRef<CompressProtocol.Command> context =
        system.opened(
            "compress",
            TaskOptions.defaults()
                .withSupervision(
                    SupervisorStrategy.restartWithBackoff(MS, MS, 0)
                        .withMaxRestarts(1)
                        .withResetBackoffAfter(HOUR)));
    lose(context);
    FreshSoftDpu.DEVICE.clearFaults();
    Awaitility.await().atMost(LIMIT).until(() -> reply(deflate(context)) instanceof Completed);
    lose(context);
    system.kit.createTestProbe().expectTerminated(context);
    assertThat(system.stopEngine()).isEqualTo(Stopped.CLEAN);
  }

  /** Returns a context that has lost its device and waits. */
  private ActorRef<CompressProtocol.Command> waiting(Duration deadline) {
    ActorRef<CompressProtocol.Command> context =
        system.opened(
            "compress",
            TaskOptions.defaults()
                .withDeadline(deadline)
                .withSupervision(SupervisorStrategy.restartWithBackoff(HOUR, HOUR, 0)));
    lose(context);
    Awaitility.await().atMost(LIMIT).until(() -> system.open(Census.Resource.CONTEXT) == 0);
    return context;
  }

  private void lose(ActorRef<CompressProtocol.Command> context) {
    FreshSoftDpu.DEVICE.faults("compress-deflate:lost:nth=1");
    assertThat(reply(deflate(context))).isInstanceOf(Failed.class);
  }

  private TestProbe<TaskReply> deflate(ActorRef<CompressProtocol.Command> context) {
    TestProbe<TaskReply> replies = system.kit.createTestProbe();
    context.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), replies.getRef()));
    return replies;
  }

  private static TaskReply reply(TestProbe<TaskReply> replies) {
    TaskReply reply = replies.receiveMessage();
    RunningSystem.releaseBuffers(reply);
    return reply;
  }

  private static void assertFails(TestProbe<TaskReply> replies, DocaCode code) {
    assertThat(((Failed) reply(replies)).code()).isEqualTo(code);
  }
}
