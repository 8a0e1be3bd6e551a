package io.dpuactors.engine;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests start, use and stop of an engine. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EngineTest {
  @Test
  void stopsItsContextsBeforeItselfAndLeavesNothing() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<CompressProtocol.Command> first = system.opened("a", TaskOptions.defaults());
      ActorRef<CompressProtocol.Command> second = system.opened("b", TaskOptions.defaults());
      TestProbe<Object> watcher = system.kit.createTestProbe();
      Stopped stopped = system.stopEngine();
      watcher.expectTerminated(first);
      watcher.expectTerminated(second);
      assertThat(stopped).isEqualTo(new Stopped(true, "empty"));
    }
  }

  @Test
  void aNameIsOpenOnce() {
    try (RunningSystem system = RunningSystem.create()) {
      system.opened("same", TaskOptions.defaults());
      OpenFailed<?> refused = (OpenFailed<?>) system.open("same", TaskOptions.defaults());
      assertThat(refused.error().code()).isEqualTo(DocaCode.ALREADY_EXIST);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void aStoppedContextsNameCanBeOpenedAgain() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<Object> watcher = system.kit.createTestProbe();
      for (int i = 0; i < 20; i++) {
        ActorRef<CompressProtocol.Command> context =
            system.opened("again" + i % 2, TaskOptions.defaults());
        context.tell(new Stop());
        watcher.expectTerminated(context);
      }
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  @ExpectedLog("stopped with open resources")
  void aLostLeaseIsInTheCensusAndDelaysTheStopUntilItsDeadlineOnly() {
    try (RunningSystem system = RunningSystem.create("dpu.engine.stop-deadline = 200ms")) {
      BufferPool pool = system.pool(4, 64);
      Buffer lost = buffer(pool, (byte) 1);
      Stopped stopped = system.stopEngine();
      assertThat(stopped.clean()).isFalse();
      assertThat(stopped.census()).contains("LEASE");
      lost.release();
    }
  }

  @Test
  void waitsForReturnedLeases() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      Buffer held = buffer(pool, (byte) 1);
      TestProbe<Stopped> probe = system.kit.createTestProbe();
      system.engine.tell(new Stop(probe.getRef()));
      TestProbe<PoolReply> refused = system.kit.createTestProbe();
      system.engine.tell(new OpenPool(PoolOptions.of(1, 1), refused.getRef()));
      DocaError why = ((PoolFailed) refused.receiveMessage()).error();
      assertThat(why.code()).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(why.operation()).isEqualTo("engine");
      held.release();
      assertThat(probe.receiveMessage().clean()).isTrue();
    }
  }

  @Test
  void aPoolIsClosedOnceItsBuffersAreBack() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      Buffer held = buffer(pool, (byte) 1);
      TestProbe<PoolClosed> probe = system.kit.createTestProbe();
      system.engine.tell(new ClosePool(pool, probe.getRef()));
      assertThat(probe.receiveMessage().failure()).isPresent();
      held.release();
      system.engine.tell(new ClosePool(pool, probe.getRef()));
      assertThat(probe.receiveMessage().failure()).isEmpty();
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void aPoolThatCannotBeIsATypedFailure() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<PoolReply> probe = system.kit.createTestProbe();
      system.engine.tell(new OpenPool(PoolOptions.of(1, 64).onDevice("99:00.0"), probe.getRef()));
      assertThat(((PoolFailed) probe.receiveMessage()).error().code())
          .isEqualTo(DocaCode.NOT_FOUND);
      system.engine.tell(new OpenPool(PoolOptions.of(0, 64), probe.getRef()));
      assertThat(((PoolFailed) probe.receiveMessage()).error().code())
          .isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void aDeadlineMayBeForEver() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2, 4096);
      TaskOptions forEver = TaskOptions.defaults().withDeadline(ChronoUnit.FOREVER.getDuration());
      ActorRef<CompressProtocol.Command> compress = system.opened("compress", forEver);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      compress.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), replies.getRef()));
      TaskReply reply = replies.receiveMessage();
      assertThat(reply).isInstanceOf(TaskReply.Completed.class);
      RunningSystem.releaseBuffers(reply);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  /** No option of one command may end the engine, and every context on it. */
  @Test
  void anInvalidOptionRefusesItsCommandOnly() {
    try (RunningSystem system = RunningSystem.create("dpu.rdma.request-timeout = 30d")) {
      OpenFailed<?> unnamed = (OpenFailed<?>) system.open("no/name", TaskOptions.defaults());
      assertThat(unnamed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      TestProbe<RdmaProtocol.OpenReply> rdma = system.kit.createTestProbe();
      system.engine.tell(
          new EngineProtocol.OpenRdma("rdma", RdmaOptions.defaults(), rdma.getRef()));
      assertThat(((RdmaProtocol.OpenFailed) rdma.receiveMessage()).error().toString())
          .contains("request-timeout is 2592000000 ms; it must be from 1 to 65535");
      ConnectionOptions noCredit = ConnectionOptions.defaults().withCredit(0);
      OpenFailed<?> server =
          (OpenFailed<?>)
              ComchPair.openServer(
                  system, system.engine, "s", ServerOptions.of("s").withConnections(noCredit));
      OpenFailed<?> client =
          (OpenFailed<?>)
              ComchPair.openClient(
                  system, system.engine, "c", ClientOptions.of("s").withConnection(noCredit));
      assertThat(List.<OpenFailed<?>>of(server, client))
          .allSatisfy(
              failed -> {
                assertThat(failed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
                assertThat(failed.error().toString())
                    .contains("credit is 0; it must be at least 1");
              });
      system.opened("compress", TaskOptions.defaults());
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  /** The end of the actor system frees contexts, tasks and leases. The answers have no receiver. */
  @Test
  void theActorSystemMayEndWithoutAStopMessage() {
    RunningSystem system = RunningSystem.create();
    BufferPool pool = system.pool(64, 4096);
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=5ms");
    ActorRef<CompressProtocol.Command> compress = system.opened("compress", TaskOptions.defaults());
    for (int i = 0; i < 16; i++) {
      compress.tell(
          new Deflate(
              buffer(pool, (byte) i), buffer(pool), system.kit.system().<TaskReply>ignoreRef()));
    }
    system.close();
    // FreshSoftDpu checks the census of the software DPU: contexts and tasks must be closed.
  }

  @Test
  void anEngineOffItsDispatcherSaysHowToSpawnIt() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<Object> watcher = system.kit.createTestProbe();
      ActorRef<EngineProtocol.Command> misplaced =
          system.kit.spawn(
              Behaviors.<EngineProtocol.Command>supervise(Engine.create())
                  .onFailure(SupervisorStrategy.stop().withLoggingEnabled(false)));
      watcher.expectTerminated(misplaced);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void twoEnginesRunSideBySideOnTheirOwnThreads() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<EngineProtocol.Command> second = system.spawnEngine("two");
      TestProbe<Status> status = system.kit.createTestProbe();
      second.tell(new EngineProtocol.GetStatus(status.getRef()));
      assertThat(status.receiveMessage().library()).isEqualTo("software DPU");
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      second.tell(new Stop(stopped.getRef()));
      assertThat(stopped.receiveMessage().clean()).isTrue();
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  /**
   * The guarantee of the data path: the loop enters native code once per turn, without callbacks
   * into Java.
   */
  @Test
  void oneNativeCallPerTurn() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(8, 4096);
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      for (int i = 0; i < 1000; i++) {
        Buffer src = buffer(pool, (byte) i);
        Buffer dst = buffer(pool);
        compress.tell(new Deflate(src, dst, replies.getRef()));
        replies.receiveMessage();
        src.release();
        dst.release();
      }
      TestProbe<Status> probe = system.kit.createTestProbe();
      system.engine.tell(new EngineProtocol.GetStatus(probe.getRef()));
      Status status = probe.receiveMessage();
      long turns = status.counters().getOrDefault("turns", 0L);
      assertThat(status.counters().get("bridge-enters")).isLessThanOrEqualTo(turns);
      assertThat(status.counters().get("bridge-submitted")).isEqualTo(1000);
      assertThat(status.counters().get("bridge-completed")).isEqualTo(1000);
      assertThat(status.counters().get("late-records")).isZero();
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }
}
