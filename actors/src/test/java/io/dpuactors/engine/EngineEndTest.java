package io.dpuactors.engine;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.ExportFailed;
import io.dpuactors.protocol.MemoryProtocol.ExportPool;
import io.dpuactors.protocol.MemoryProtocol.LeasesRefused;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.OwnLeases;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.RegisterMemory;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the end of an engine, with and without a Stop message, and the answers after it. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EngineEndTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  private static void awaitLendingEnds(BufferPool pool) {
    Awaitility.await()
        .atMost(BOUND)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              Buffer lent = pool.lease();
              if (lent != null) {
                lent.release();
              }
              return lent == null;
            });
  }

  private static void awaitEnd(RunningSystem system) throws Exception {
    system.kit.system().getWhenTerminated().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  void everyMessageToAnEndedEngineIsAnswered() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      BufferPool pool = system.pool(2, 64);
      assertThat(system.stopEngine().clean()).isTrue();
      TestProbe<Object> probe = system.kit.createTestProbe();
      ActorRef<Object> self = probe.getRef();
      system.engine.tell(new OpenPool(PoolOptions.of(1, 64), self.narrow()));
      assertThat(probe.expectMessageClass(PoolFailed.class).error().about())
          .isEqualTo("the engine has ended");
      system.engine.tell(
          new RegisterMemory(
              Optional.empty(),
              ByteBuffer.allocateDirect(64),
              1,
              64,
              Set.of(Permission.LOCAL_READ_WRITE),
              self.narrow()));
      assertThat(probe.expectMessageClass(PoolFailed.class).error().code())
          .isEqualTo(DocaCode.SHUTDOWN);
      system.engine.tell(new ExportPool(pool, self.narrow()));
      assertThat(probe.expectMessageClass(ExportFailed.class).error().code())
          .isEqualTo(DocaCode.SHUTDOWN);
      system.engine.tell(new OwnLeases(self, pool, self.narrow()));
      assertThat(probe.expectMessageClass(LeasesRefused.class).error().code())
          .isEqualTo(DocaCode.SHUTDOWN);
      system.engine.tell(new ClosePool(pool, self.narrow()));
      probe.expectMessage(new PoolClosed(Optional.empty()));
      system.engine.tell(new GetStatus(self.narrow()));
      probe.expectMessage(Status.ENDED);
      system.engine.tell(new Stop(self.narrow()));
      probe.expectMessage(Stopped.CLEAN);
      compress.tell(new Stop(self.narrow()));
      probe.expectMessage(Stopped.CLEAN);
      compress.tell(new CompressProtocol.GetCapabilities(self.narrow()));
      probe.expectMessage(TaskCapabilities.NONE);
      dma.tell(new DmaProtocol.GetCapabilities(self.narrow()));
      probe.expectMessage(TaskCapabilities.NONE);
    }
  }

  /** The engine waits for the lease, and the program returns it after an answer. */
  @Test
  void anEngineThatEndsWithoutStopRefusesRequestsBeforeItsLeasesReturn() {
    try (RunningSystem system = RunningSystem.create("dpu.engine.stop-deadline = 1h")) {
      BufferPool pool = system.pool(1, 64);
      Buffer lease = buffer(pool);
      TestProbe<Object> probe = system.kit.createTestProbe();
      ActorRef<Object> self = probe.getRef();
      system.endEngine();
      awaitLendingEnds(pool);
      system.engine.tell(new ClosePool(pool, self.narrow()));
      system.engine.tell(new Stop(self.narrow()));
      system.engine.tell(new OpenDma("dma", TaskOptions.defaults(), self.narrow()));
      assertThat(probe.expectMessageClass(DmaProtocol.OpenFailed.class).error().code())
          .isEqualTo(DocaCode.SHUTDOWN);
      lease.release();
      probe.expectMessage(new PoolClosed(Optional.empty()));
      probe.expectMessage(Stopped.CLEAN);
      probe.expectTerminated(system.engine);
    }
  }

  @Test
  @ExpectedLog("stopped with open resources")
  void aLaterStopReportsTheLossToo() {
    try (RunningSystem system = RunningSystem.create("dpu.engine.stop-deadline = 50ms")) {
      Buffer lost = buffer(system.pool(2, 64), (byte) 1);
      Stopped first = system.stopEngine();
      assertThat(first.clean()).isFalse();
      TestProbe<Stopped> later = system.kit.createTestProbe();
      system.engine.tell(new Stop(later.getRef()));
      later.expectMessage(first);
      lost.release();
    }
  }

  @Test
  @ExpectedLog("stopped with open resources")
  void aStopWithoutReceiverHasTheSameDeadline() {
    try (RunningSystem system = RunningSystem.create("dpu.engine.stop-deadline = 50ms")) {
      Buffer lost = buffer(system.pool(2, 64), (byte) 1);
      TestProbe<Stopped> later = system.kit.createTestProbe();
      system.engine.tell(new Stop());
      later.expectTerminated(system.engine);
      system.engine.tell(new Stop(later.getRef()));
      assertThat(later.receiveMessage().clean()).isFalse();
      lost.release();
    }
  }

  @Test
  void aPoolLendsNothingWhileItsEngineStops() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      Buffer held = buffer(pool, (byte) 1);
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      system.engine.tell(new Stop(stopped.getRef()));
      awaitLendingEnds(pool);
      assertThat(pool.scope("late").lease()).isNull();
      system.engine.tell(new Stop(stopped.getRef()));
      held.release();
      assertThat(stopped.receiveSeveralMessages(2)).containsOnly(Stopped.CLEAN);
    }
  }

  /** Without Stop, the engine waits for a lease. CleanLog shows that no resource was lost. */
  @Test
  void theEndOfTheActorSystemWaitsForLeases() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      Buffer held = buffer(pool, (byte) 1);
      system.kit.system().terminate();
      awaitLendingEnds(pool);
      assertThat(pool.isClosed()).isFalse();
      held.release();
      awaitEnd(system);
      assertThat(pool.isClosed()).isTrue();
    }
  }

  /** The holder's actor has ended: only the engine can return its leases. */
  @Test
  void theEndOfTheActorSystemReturnsTheLeasesOfActorsThatEndedWithIt() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      TestProbe<String> leased = system.kit.createTestProbe();
      system.kit.spawn(
          Behaviors.<Object>setup(
              context -> {
                system.engine.tell(
                    new OwnLeases(context.getSelf(), pool, context.getSelf().narrow()));
                return Behaviors.receive(Object.class)
                    .onMessage(
                        MemoryProtocol.LeasesOwned.class,
                        owned -> {
                          assertThat(owned.leases().lease()).isNotNull();
                          leased.getRef().tell("leased");
                          return Behaviors.same();
                        })
                    .build();
              }));
      leased.expectMessage("leased");
      system.kit.system().terminate();
      awaitEnd(system);
      assertThat(pool.isClosed()).isTrue();
    }
  }

  /** The engine's thread waits in the engine's last signal, and the holder needs that thread. */
  @Test
  void aHolderOnTheEnginesThreadCanReleaseWhileTheEngineEnds() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      Buffer held = buffer(pool, (byte) 1);
      ActorRef<Buffer> holder =
          system.kit.spawn(
              Behaviors.receiveMessage(
                  buffer -> {
                    buffer.release();
                    return Behaviors.same();
                  }),
              "holder",
              EngineDispatchers.select(system.kit.system(), "one"));
      TestProbe<Object> watcher = system.kit.createTestProbe();
      system.endEngine();
      awaitLendingEnds(pool);
      holder.tell(held);
      watcher.expectTerminated(system.engine);
      assertThat(pool.isClosed()).isTrue();
    }
  }

  @Test
  void aParentThatStopsAStoppingEngineLeavesNoStopUnanswered() {
    try (RunningSystem system = RunningSystem.create()) {
      Buffer held = buffer(system.pool(4, 64), (byte) 1);
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      system.engine.tell(new Stop(stopped.getRef()));
      awaitLendingEnds(held.pool());
      system.endEngine();
      held.release();
      assertThat(stopped.receiveMessage().clean()).isTrue();
    }
  }

  @Test
  void anOpenCommandIsAnsweredWhenTheParentStopsTheEngine() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<ConnectionProtocol.OpenReply> reply = system.kit.createTestProbe();
      ClientOptions longDeadline =
          ClientOptions.of("no such server")
              .withSupervision(
                  SupervisorStrategy.restartWithBackoff(BOUND, BOUND, 0).withLoggingEnabled(false));
      system.engine.tell(new OpenComchClient("client", longDeadline, reply.getRef()));
      assertThat(system.counter("turns")).isNotNegative(); // the engine has processed the command
      system.endEngine();
      assertThat(reply.receiveMessage()).isInstanceOf(OpenFailed.class);
    }
  }
}
