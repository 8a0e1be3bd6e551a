package io.dpuactors.service;

import static io.dpuactors.service.Transfers.PLENTY;
import static io.dpuactors.service.Transfers.copy;
import static io.dpuactors.service.Transfers.expect;
import static io.dpuactors.service.Transfers.expectFailure;
import static io.dpuactors.service.Transfers.offer;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.Census.Resource;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testkit.HeapBuffers;
import io.dpuactors.wire.DataGeometry;
import io.dpuactors.wire.DmaOffer;
import java.time.Duration;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests blocks that are copied by DMA. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class DmaBlocksTest {
  @ParameterizedTest
  @CsvSource({"1, 1, 1", "300, 1000, 4", "7, 200000, 16"})
  void memoryIsCopiedByDma(int blocks, int blockBytes, int parallel) throws Exception {
    DataGeometry geometry = new DataGeometry(blocks, blockBytes);
    try (ServiceRig rig = new ServiceRig()) {
      Buffer memory = offer(rig, geometry, geometry);
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      copy(rig, parallel, PLENTY, results);
      expect(results, geometry);
      copy(rig, parallel, PLENTY, results);
      expect(results, geometry);
      copy(rig, parallel, geometry.totalBytes() - 1, results);
      expectFailure(results, "the limit is " + (geometry.totalBytes() - 1));
      rig.stop(memory::release);
    }
  }

  @Test
  void anOfferOfMoreThanThereIsIsRefused() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      Buffer memory = offer(rig, new DataGeometry(2, 4096), new DataGeometry(3, 4096));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      copy(rig, 4, PLENTY, results);
      expectFailure(results, "fewer than");
      rig.stop(memory::release);
    }
  }

  @Test
  void anExportThatIsNoneIsRefused() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      rig.serve(MemoryOffer.of(DmaOffer.of(new DataGeometry(2, 4096), new byte[100])));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      copy(rig, 4, PLENTY, results);
      expectFailure(results, "doca_mmap_create_from_export");
      rig.stop();
    }
  }

  @Test
  @ExpectedLog("closing the connection")
  void aClientThatSendsAnotherMessageThanDoneIsDisconnected() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      Buffer memory = offer(rig, new DataGeometry(1, 64), new DataGeometry(1, 64));
      ActorRef<ConnectionProtocol.Command> connection = rig.connect();
      TestProbe<Object> probe = rig.system.kit.createTestProbe();
      connection.tell(new Send("dome".getBytes(US_ASCII), probe.getRef().narrow()));
      probe.expectTerminated(connection);
      rig.stop(memory::release);
    }
  }

  /** The copier stops its context when a copy fails. The stop may precede the context's failure. */
  @Test
  @ExpectedLog(value = "the context stopped by itself", always = false)
  void aFailedCopyIsReported() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      DataGeometry geometry = new DataGeometry(20, 4096);
      Buffer memory = offer(rig, geometry, geometry);
      FreshSoftDpu.DEVICE.faults("dma-memcpy:fail:nth=7");
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      copy(rig, 4, PLENTY, results);
      expectFailure(results, "block ");
      FreshSoftDpu.DEVICE.clearFaults();
      copy(rig, 4, PLENTY, results);
      expect(results, geometry);
      rig.stop(memory::release);
    }
  }

  /** The copies last longer than the actor, which throws for a pool with buffers of one byte. */
  @Test
  @ExpectedLog({"out of bounds for length 1", "pool of 20 x 1 bytes are still leased"})
  void aCopierThatThrowsReturnsItsMemory() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      DataGeometry geometry = new DataGeometry(20, 4096);
      Buffer memory = offer(rig, geometry, geometry);
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      FreshSoftDpu.DEVICE.faults("dma-memcpy:delay=1s");
      ActorRef<Object> copier = copy(rig, 4, PLENTY, results);
      results.awaitAssert(() -> assertThat(open(rig)).containsKey(Resource.TASK));
      copier.tell(new PoolOpened(HeapBuffers.pool(geometry.blocks(), 1)));
      expectFailure(results, "the actor of the transfer has ended");
      results.awaitAssert(
          Duration.ofSeconds(20),
          () -> assertThat(open(rig)).doesNotContainKeys(Resource.TASK, Resource.BUFFER_POOL));
      rig.stop(memory::release);
    }
  }

  private static Map<Resource, Integer> open(ServiceRig rig) {
    TestProbe<Status> probe = rig.system.kit.createTestProbe();
    rig.clients.tell(new GetStatus(probe.getRef()));
    return probe.receiveMessage().open();
  }
}
