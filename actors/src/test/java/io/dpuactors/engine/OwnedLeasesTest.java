package io.dpuactors.engine;

import static io.dpuactors.engine.LeaseOwner.leased;
import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.LeaseReply;
import io.dpuactors.protocol.MemoryProtocol.LeasesOwned;
import io.dpuactors.protocol.MemoryProtocol.LeasesRefused;
import io.dpuactors.protocol.MemoryProtocol.OwnLeases;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.Objects;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that the leases of an actor return after its end, and not before the end of its tasks. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class OwnedLeasesTest {
  private static final int BLOCK = 4096;
  private static final int BUFFERS = 64;

  /** Message to an owner: run this work with your leases, then end. */
  private interface LastWork {
    void with(LeaseScope leases, ActorRef<TaskReply> self);
  }

  /** Returns an actor that runs its last work and ends at once. */
  private static ActorRef<Object> owner(RunningSystem system, BufferPool pool, LastWork work) {
    return system.kit.spawn(
        LeaseOwner.create(
            system,
            pool,
            (leases, self) -> {
              work.with(leases, self);
              return Behaviors.stopped();
            },
            builder -> builder));
  }

  private static void awaitAllBack(BufferPool pool) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> pool.available() == pool.capacity());
  }

  @Test
  void leasesOfADeadActorReturn() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(BUFFERS, BLOCK);
      TestProbe<Object> watcher = system.kit.createTestProbe();
      ActorRef<Object> owner =
          owner(
              system,
              pool,
              (leases, self) -> {
                leased(leases);
                leased(leases);
                leased(leases).release();
              });
      watcher.expectTerminated(owner);
      awaitAllBack(pool);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /**
   * At the owner's end, its requests are in the context's mailbox, in its queue and on the device.
   */
  @Test
  void tasksInFlightEndFirst() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(BUFFERS, BLOCK);
      FreshSoftDpu.DEVICE.faults("dma-memcpy:delay=20ms");
      ActorRef<DmaProtocol.Command> dma =
          system.openedDma("dma", TaskOptions.defaults().withWindow(4));
      TestProbe<Object> watcher = system.kit.createTestProbe();
      TestProbe<TaskReply> receiver = system.kit.createTestProbe();
      ActorRef<Object> owner =
          owner(
              system,
              pool,
              (leases, self) -> {
                for (int i = 0; i < BUFFERS / 4; i++) {
                  Buffer src = leased(leases);
                  src.length(BLOCK);
                  dma.tell(new Copy(src, leased(leases), i, receiver.getRef()));
                }
              });
      watcher.expectTerminated(owner);
      assertThat(receiver.receiveSeveralMessages(BUFFERS / 4))
          .allSatisfy(reply -> assertThat(reply).isInstanceOf(Completed.class));
      awaitAllBack(pool);
      FreshSoftDpu.DEVICE.clearFaults();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The pool does not lease a buffer while the task of an ended actor writes it. */
  @Test
  void aBufferIsNotLeasedWhileATaskOfAnEndedActorWritesIt() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2, BLOCK);
      FreshSoftDpu.DEVICE.faults("dma-memcpy:delay=50ms");
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      TestProbe<Object> watcher = system.kit.createTestProbe();
      for (int round = 0; round < 10; round++) {
        ActorRef<Object> owner =
            owner(
                system,
                pool,
                (leases, self) -> {
                  Buffer src = leased(leases);
                  src.bytes().put(0, (byte) 1);
                  src.length(BLOCK);
                  dma.tell(new Copy(src, leased(leases), self));
                });
        watcher.expectTerminated(owner);
        Buffer first = Awaitility.await().until(pool::lease, Objects::nonNull);
        Buffer second = Awaitility.await().until(pool::lease, Objects::nonNull);
        assertThat(first.isLent() || second.isLent()).isFalse();
        first.bytes().put(0, (byte) 2);
        second.bytes().put(0, (byte) 2);
        first.length(BLOCK);
        TestProbe<TaskReply> replies = system.kit.createTestProbe();
        dma.tell(new Copy(first, second, replies.getRef()));
        assertThat(replies.receiveMessage()).isInstanceOf(Completed.class);
        assertThat(second.bytes().get(0)).isEqualTo((byte) 2);
        first.release();
        second.release();
      }
      FreshSoftDpu.DEVICE.clearFaults();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void handedOverBuffersStayWithTheirNewOwner() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, BLOCK);
      TestProbe<Buffer> receiver = system.kit.createTestProbe();
      TestProbe<Object> watcher = system.kit.createTestProbe();
      ActorRef<Object> owner =
          owner(
              system,
              pool,
              (leases, self) -> {
                Buffer given = leased(leases);
                given.handOver();
                receiver.getRef().tell(given);
                leased(leases);
              });
      watcher.expectTerminated(owner);
      Buffer given = receiver.receiveMessage();
      Awaitility.await().until(() -> pool.available() == 3);
      assertThat(given.isLeased()).isTrue();
      given.release();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /**
   * The reply reports RETAINED buffers at the deadline. The buffers return at the end of the task.
   */
  @Test
  void leasesLentBeyondTheirDeadlineReturn() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2, BLOCK);
      ActorRef<DmaProtocol.Command> dma =
          system.openedDma("dma", TaskOptions.defaults().withDeadline(Duration.ofMillis(20)));
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its tasks
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      Buffer src = buffer(pool, (byte) 1);
      Buffer dst = buffer(pool);
      dma.tell(new Copy(src, dst, replies.getRef()));
      Failed failed = (Failed) replies.receiveMessage();
      assertThat(failed.ownership()).isEqualTo(Ownership.RETAINED);
      assertThat(src.isLent()).isTrue();
      org.assertj.core.api.Assertions.assertThatThrownBy(src::release)
          .hasMessageContaining("was released after its tasks");
      FreshSoftDpu.DEVICE.manualClock(false);
      awaitAllBack(pool);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void leasesOfAClosedPoolAreRefused() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2, BLOCK);
      TestProbe<PoolClosed> closed = system.kit.createTestProbe();
      system.engine.tell(new ClosePool(pool, closed.getRef()));
      assertThat(closed.receiveMessage().failure()).isEmpty();
      TestProbe<LeaseReply> replies = system.kit.createTestProbe();
      system.engine.tell(new OwnLeases(replies.getRef(), pool, replies.getRef()));
      LeasesRefused refused = (LeasesRefused) replies.receiveMessage();
      assertThat(refused.error().code()).isEqualTo(DocaCode.BAD_STATE);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The engine ends before the leases of the earlier life could return. */
  @Test
  void aRestartedOwnerIsAnsweredAtTheEndOfTheEngine() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2, BLOCK);
      TestProbe<LeaseReply> owner = system.kit.createTestProbe();
      system.engine.tell(new OwnLeases(owner.getRef(), pool, owner.getRef()));
      owner.expectMessageClass(LeasesOwned.class);
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      BlockPoint blockPoint = system.blockEngine(); // the engine gets both commands at once
      system.engine.tell(new OwnLeases(owner.getRef(), pool, owner.getRef()));
      system.engine.tell(new Stop(stopped.getRef()));
      blockPoint.release();
      LeasesRefused refused = owner.expectMessageClass(LeasesRefused.class);
      assertThat(refused.error().code()).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
    }
  }

  /** The actor has already ended: the scope ends as soon as it begins. */
  @Test
  void leasesOfADeadActorEndAtOnce() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2, BLOCK);
      ActorRef<Object> dead = system.kit.spawn(Behaviors.stopped());
      TestProbe<LeaseReply> replies = system.kit.createTestProbe();
      replies.expectTerminated(dead);
      system.engine.tell(new OwnLeases(dead, pool, replies.getRef()));
      LeaseScope leases = ((LeasesOwned) replies.receiveMessage()).leases();
      Awaitility.await().until(leases::isEnded);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }
}
