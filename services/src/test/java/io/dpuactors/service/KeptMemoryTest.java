package io.dpuactors.service;

import static io.dpuactors.service.Transfers.PLENTY;
import static io.dpuactors.service.Transfers.copy;
import static io.dpuactors.service.Transfers.expect;
import static io.dpuactors.service.Transfers.memory;
import static io.dpuactors.service.Transfers.offer;
import static io.dpuactors.service.Transfers.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census.Resource;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.wire.DataGeometry;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests memory that an engine keeps between its users. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class KeptMemoryTest {
  private static OpenPool pool(int count, ActorRef<PoolReply> replyTo) {
    return new OpenPool(
        PoolOptions.of(count, 64)
            .onDevice(ServiceRig.HOST)
            .withPermissions(Set.of(Permission.PCI_READ_WRITE)),
        replyTo);
  }

  private static ActorRef<Object> keep(ServiceRig rig) {
    return rig.system.kit.spawn(KeptMemory.create(rig.clients));
  }

  private static BufferPool open(ServiceRig rig, ActorRef<Object> kept, int count) {
    TestProbe<PoolReply> probe = rig.system.kit.createTestProbe();
    kept.tell(pool(count, probe.getRef()));
    return ((PoolOpened) probe.receiveMessage()).pool();
  }

  private static Optional<DocaError> close(ServiceRig rig, ActorRef<Object> kept, BufferPool pool) {
    TestProbe<PoolClosed> probe = rig.system.kit.createTestProbe();
    kept.tell(new ClosePool(pool, probe.getRef()));
    return probe.receiveMessage().failure();
  }

  private static Map<Resource, Integer> open(ServiceRig rig) {
    TestProbe<Status> probe = rig.system.kit.createTestProbe();
    rig.clients.tell(new GetStatus(probe.getRef()));
    return probe.receiveMessage().open();
  }

  private static void expectClosed(BufferPool pool) {
    assertThatThrownBy(pool::lease).hasMessageContaining("is closed");
  }

  @Test
  void theSameShapeGetsTheSamePool() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      ActorRef<Object> kept = keep(rig);
      BufferPool first = open(rig, kept, 3);
      Buffer written = Objects.requireNonNull(first.lease());
      written.bytes().put(0, (byte) 7);
      written.release();
      assertThat(close(rig, kept, first)).isEmpty();
      assertThat(open(rig, kept, 3)).isSameAs(first);
      assertThat(close(rig, kept, first)).isEmpty();
      rig.stop();
      expectClosed(first);
    }
  }

  @Test
  void anotherShapeGetsAnotherPool() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      ActorRef<Object> kept = keep(rig);
      BufferPool first = open(rig, kept, 3);
      close(rig, kept, first);
      BufferPool second = open(rig, kept, 4);
      assertThat(second.capacity()).isEqualTo(4);
      expectClosed(first);
      close(rig, kept, second);
      assertThat(open(rig, kept, 4)).isSameAs(second);
      rig.stop();
    }
  }

  @Test
  void aSecondUserGetsMemoryFromTheEngine() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      ActorRef<Object> kept = keep(rig);
      BufferPool first = open(rig, kept, 3);
      BufferPool other = open(rig, kept, 3);
      assertThat(other).isNotSameAs(first);
      assertThat(close(rig, kept, other)).isEmpty();
      expectClosed(other);
      close(rig, kept, first);
      assertThat(open(rig, kept, 3)).isSameAs(first);
      rig.stop();
    }
  }

  @Test
  void partlyReturnedMemoryIsNotKept() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      ActorRef<Object> kept = keep(rig);
      BufferPool first = open(rig, kept, 3);
      Buffer held = Objects.requireNonNull(first.lease());
      assertThat(close(rig, kept, first).orElseThrow().about()).contains("leased");
      BufferPool second = open(rig, kept, 3);
      assertThat(second).isNotSameAs(first);
      held.release();
      assertThat(close(rig, kept, first)).isEmpty();
      expectClosed(first);
      rig.stop();
    }
  }

  @Test
  void aFailureIsReportedAndForgotten() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      ActorRef<Object> kept = keep(rig);
      TestProbe<PoolReply> probe = rig.system.kit.createTestProbe();
      kept.tell(pool(0, probe.getRef()));
      probe.expectMessageClass(PoolFailed.class);
      BufferPool pool = open(rig, kept, 3);
      close(rig, kept, pool);
      kept.tell(pool(0, probe.getRef()));
      probe.expectMessageClass(PoolFailed.class);
      expectClosed(pool);
      rig.stop();
    }
  }

  @Test
  void itsEndIsTheMemorysEnd() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      ActorRef<Object> kept = keep(rig);
      close(rig, kept, open(rig, kept, 3));
      assertThat(open(rig)).containsEntry(Resource.BUFFER_POOL, 1);
      rig.system.kit.stop(kept);
      assertThat(open(rig)).doesNotContainKey(Resource.BUFFER_POOL);
      rig.stop();
    }
  }

  @Test
  void itEndsWithItsEngine() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      ActorRef<Object> kept = keep(rig);
      close(rig, kept, open(rig, kept, 3));
      TestProbe<Object> end = rig.system.kit.createTestProbe();
      rig.stop();
      end.expectTerminated(kept);
    }
  }

  /**
   * No block of an earlier transfer remains: the receiver overwrites the memory before blocks
   * arrive.
   */
  @Test
  void memoryMayStayFromOneTimeToTheNext() throws Exception {
    DataGeometry geometry = new DataGeometry(20, 5000);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> Transfers.send(rig, c, memory, false));
      ActorRef<Object> kept = rig.system.kit.spawn(KeptMemory.create(rig.clients));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      for (int i = 0; i < 3; i++) {
        receive(rig, kept.narrow(), PLENTY, results);
        expect(results, geometry);
        assertThat(open(rig)).containsEntry(Resource.BUFFER_POOL, 1);
      }
      rig.stop(memory);
    }
  }

  @Test
  void copiesMayGoWhereTheOnesBeforeWent() throws Exception {
    DataGeometry geometry = new DataGeometry(20, 5000);
    try (ServiceRig rig = new ServiceRig()) {
      Buffer memory = offer(rig, geometry, geometry);
      ActorRef<Object> kept = rig.system.kit.spawn(KeptMemory.create(rig.clients));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      for (int i = 0; i < 3; i++) {
        copy(rig, kept.narrow(), 4, PLENTY, results);
        expect(results, geometry);
        assertThat(open(rig)).containsEntry(Resource.BUFFER_POOL, 1);
      }
      rig.stop(memory::release);
    }
  }
}
