package io.dpuactors.engine;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.loop.BreakableLoops;
import io.dpuactors.protocol.ClientEvent;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that a failed progress engine fails its engine actor, and that every request is answered.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EngineFailureTest {
  private static final String BROKEN = "has lost its progress engine";

  /** one attempt and three retries */
  private static final int ALL_ATTEMPTS = 4;

  private static final String LONG_STOP =
      BreakableLoops.CONFIG + "dpu.engine.stop-deadline = 10s\n";

  /** settings of tests that hold a lease: the engine waits for the lease when it ends */
  private static final String SHORT_STOP =
      BreakableLoops.CONFIG + "dpu.engine.stop-deadline = 200ms\n";

  @Test
  @ExpectedLog(
      value = {"a wait of the device failed", BROKEN, "LEASE lost"},
      always = false) // answers with leases may be in flight when the engine ends
  void waitsThatFailStopTheEngineAndAnswerEveryRequest() {
    try (RunningSystem system = RunningSystem.create(BreakableLoops.CONFIG)) {
      BufferPool pool = system.pool(64, 2048);
      FreshSoftDpu.DEVICE.faults("compress-deflate:delay=1s");
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      BreakableLoops.breakWaits("one", ALL_ATTEMPTS);
      for (int i = 0; i < 16; i++) {
        compress.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), i, replies.getRef()));
      }
      List<TaskReply> all = replies.receiveSeveralMessages(16);
      assertThat(tags(all)).hasSize(16);
      all.forEach(RunningSystem::releaseBuffers);
      replies.expectTerminated(compress);
      replies.expectTerminated(system.engine);
    }
  }

  @Test
  @ExpectedLog({"a turn of the device failed", BROKEN})
  void anEngineUnderARestartStrategyOpensANewProgressEngine() {
    opensANewProgressEngine(
        Behaviors.supervise(Engine.create())
            .onFailure(EngineFailure.class, SupervisorStrategy.restart()));
  }

  @Test
  @ExpectedLog({"a turn of the device failed", BROKEN})
  void aStrategyForAllExceptionsRestartsAnEngineToo() {
    opensANewProgressEngine(
        Behaviors.supervise(Engine.create()).onFailure(SupervisorStrategy.restart()));
  }

  /** Under resume() no turn would follow, and no request would have an answer. */
  @Test
  @ExpectedLog({
    "a turn of the device failed",
    BROKEN,
    "engine resuming ends: SupervisorStrategy.resume() cannot supervise an engine"
  })
  void anEngineUnderAResumeStrategyEnds() {
    try (RunningSystem system = RunningSystem.create(BreakableLoops.CONFIG)) {
      ActorRef<EngineProtocol.Command> engine =
          system.kit.spawn(
              Behaviors.supervise(Engine.create()).onFailure(SupervisorStrategy.resume()),
              "resuming",
              EngineDispatchers.select(system.kit.system(), "resuming"));
      ActorRef<CompressProtocol.Command> compress = opened(system, engine);
      TestProbe<Object> watcher = system.kit.createTestProbe();
      BreakableLoops.breakTurns("resuming", ALL_ATTEMPTS);
      watcher.expectTerminated(compress);
      watcher.expectTerminated(engine);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  private static void opensANewProgressEngine(Behavior<EngineProtocol.Command> supervised) {
    try (RunningSystem system = RunningSystem.create(BreakableLoops.CONFIG)) {
      ActorRef<EngineProtocol.Command> engine =
          system.kit.spawn(
              supervised,
              "restarting",
              EngineDispatchers.select(system.kit.system(), "restarting"));
      ActorRef<CompressProtocol.Command> first = opened(system, engine);
      TestProbe<Object> watcher = system.kit.createTestProbe();
      BreakableLoops.breakTurns("restarting", ALL_ATTEMPTS);
      watcher.expectTerminated(first);
      opened(system, engine);
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      engine.tell(new Stop(stopped.getRef()));
      assertThat(stopped.receiveMessage().clean()).isTrue();
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  @ExpectedLog({"a turn of the device failed", BROKEN, "LEASE lost", "client: the context stopped"})
  void commandsThatWaitAreAnsweredWhenTheEngineFails() {
    try (RunningSystem system = RunningSystem.create(SHORT_STOP)) {
      Buffer held = buffer(system.pool(1, 64));
      TestProbe<ConnectionProtocol.OpenReply> opened = system.kit.createTestProbe();
      TestProbe<ClientEvent> lost = system.kit.createTestProbe();
      system.engine.tell(
          new OpenComchClient(
              "client",
              ClientOptions.of("test-nobody")
                  .withListener(lost.getRef())
                  .withSupervision(
                      SupervisorStrategy.restartWithBackoff(
                          Duration.ofMinutes(1), Duration.ofMinutes(1), 0)),
              opened.getRef()));
      lost.expectMessageClass(ClientEvent.Lost.class); // The client waits for its second attempt.
      BreakableLoops.breakTurns("one", ALL_ATTEMPTS);
      ConnectionProtocol.OpenReply reply = opened.receiveMessage();
      assertThat(((OpenFailed<?>) reply).error().code()).isEqualTo(DocaCode.SHUTDOWN);
      opened.expectTerminated(system.engine);
      held.release();
    }
  }

  @Test
  @ExpectedLog({"a turn of the device failed", BROKEN, "LEASE lost"})
  void anEngineThatFailsWhileItStopsAnswersStop() {
    try (RunningSystem system = RunningSystem.create(LONG_STOP)) {
      Buffer held = buffer(system.pool(1, 64));
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      system.engine.tell(new Stop(stopped.getRef()));
      BreakableLoops.breakTurns("one", ALL_ATTEMPTS);
      assertThat(stopped.receiveMessage().clean()).isFalse();
      stopped.expectTerminated(system.engine);
      held.release();
    }
  }

  /** A restarted engine would hold the device, and nothing would stop it. */
  @Test
  @ExpectedLog({"a turn of the device failed", BROKEN, "LEASE lost"})
  void anEngineThatFailsWhileItStopsDoesNotRestart() {
    try (RunningSystem system = RunningSystem.create(LONG_STOP)) {
      ActorRef<EngineProtocol.Command> engine =
          system.kit.spawn(
              Behaviors.supervise(Engine.create())
                  .onFailure(EngineFailure.class, SupervisorStrategy.restart()),
              "restarting",
              EngineDispatchers.select(system.kit.system(), "restarting"));
      TestProbe<PoolReply> pools = system.kit.createTestProbe();
      engine.tell(new OpenPool(PoolOptions.of(1, 64), pools.getRef()));
      Buffer held = buffer(((PoolOpened) pools.receiveMessage()).pool());
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      engine.tell(new Stop(stopped.getRef()));
      BreakableLoops.breakTurns("restarting", ALL_ATTEMPTS);
      assertThat(stopped.receiveMessage().clean()).isFalse();
      stopped.expectTerminated(engine);
      held.release();
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  private static ActorRef<CompressProtocol.Command> opened(
      RunningSystem system, ActorRef<EngineProtocol.Command> engine) {
    TestProbe<CompressProtocol.OpenReply> probe = system.kit.createTestProbe();
    engine.tell(new OpenCompress("compress", TaskOptions.defaults(), probe.getRef()));
    return ((CompressProtocol.Opened) probe.receiveMessage()).context();
  }
}
