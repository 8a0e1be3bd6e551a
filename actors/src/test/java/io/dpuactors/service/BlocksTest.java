package io.dpuactors.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.EngineProtocol.ExportPool;
import io.dpuactors.protocol.EngineProtocol.ExportReply;
import io.dpuactors.protocol.EngineProtocol.Exported;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.ConnectionInfo;
import io.dpuactors.protocol.comch.ConnectionProtocol.GetInfo;
import io.dpuactors.protocol.comch.ConnectionProtocol.Send;
import io.dpuactors.protocol.wire.DataGeometry;
import io.dpuactors.protocol.wire.DmaOffer;
import io.dpuactors.service.BlockReceiver.ReceiverOptions;
import io.dpuactors.service.MemoryCopier.CopierOptions;
import io.dpuactors.service.Transfer.TransferFailed;
import io.dpuactors.service.Transfer.Transferred;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that come over the fast path, or are copied by DMA. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BlocksTest {
  private static final long PLENTY = 1L << 30;

  private static BlockMemory memory(ServiceRig rig, DataGeometry geometry) {
    BufferPool pool =
        rig.pool(
            ServiceRig.DPU,
            geometry.blocks() + 2,
            geometry.blockBytes(),
            Permission.LOCAL_READ_WRITE);
    return BlockMemory.fill(pool, geometry);
  }

  private static ActorRef<Object> receive(
      ServiceRig rig, long maxBytes, TestProbe<Transfer> results) {
    ReceiverOptions options = new ReceiverOptions(Optional.of(ServiceRig.HOST), maxBytes, true);
    return rig.system.kit.spawn(
        BlockReceiver.create(rig.connect(), rig.clients, options, results.getRef()));
  }

  private static void copy(
      ServiceRig rig, int parallel, long maxBytes, TestProbe<Transfer> results) {
    CopierOptions options =
        new CopierOptions(Optional.of(ServiceRig.DPU), parallel, maxBytes, true);
    rig.system.kit.spawn(
        MemoryCopier.create(rig.connect(), rig.clients, options, results.getRef()));
  }

  private static void expect(TestProbe<Transfer> results, DataGeometry geometry) {
    Transferred done = (Transferred) results.receiveMessage();
    assertThat(done.blocks()).isEqualTo(geometry.blocks());
    assertThat(done.bytes()).isEqualTo(geometry.totalBytes());
    assertThat(done.wrongBlocks()).isZero();
    assertThat(done.elapsedNs()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "300, 1", "300, 1000", "7, 200000"})
  void blocksArriveWithTheirContent(int blocks, int blockBytes) throws Exception {
    DataGeometry geometry = new DataGeometry(blocks, blockBytes);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> BlockSender.create(c, memory, blocks % 2 == 0));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, PLENTY, results);
      expect(results, geometry);
      rig.stop(memory);
    }
  }

  /** More clients than blocks and spares: they have to wait for each other. */
  @Test
  void clientsThatWantTheSameBlockAllGetIt() throws Exception {
    DataGeometry geometry = new DataGeometry(2, 50_000);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> BlockSender.create(c, memory, false));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      for (int i = 0; i < 8; i++) {
        receive(rig, PLENTY, results);
      }
      for (int i = 0; i < 8; i++) {
        expect(results, geometry);
      }
      rig.stop(memory);
    }
  }

  @Test
  void aServerThatHasTooMuchIsRefused() throws Exception {
    DataGeometry geometry = new DataGeometry(2, 1000);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> BlockSender.create(c, memory, false));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, 1999, results);
      expectFailure(results, "2000 bytes; the limit is 1999");
      rig.stop(memory);
    }
  }

  private static void expectFailure(TestProbe<Transfer> results, String why) {
    assertThat(((TransferFailed) results.receiveMessage()).why()).contains(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "256", "0 5", "99999999 99999999", "4 4|4 4"})
  void aServerThatTalksNonsenseIsLeft(String nonsense) throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      rig.serve(
          connection -> {
            for (String message : nonsense.split("\\|", -1)) {
              connection.tell(Send.orFail(message + " ".repeat(message.isEmpty() ? 1 : 0)));
            }
            return Behaviors.ignore();
          });
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, PLENTY, results);
      assertThat(results.receiveMessage()).isInstanceOf(TransferFailed.class);
      copy(rig, 2, PLENTY, results);
      assertThat(results.receiveMessage()).isInstanceOf(TransferFailed.class);
      rig.stop();
    }
  }

  /** The receiver has a buffer posted, the sender has one on its way: both get theirs back. */
  @Test
  void aConnectionThatEndsInBetweenTakesNothingWithIt() throws Exception {
    DataGeometry geometry = new DataGeometry(200, 4096);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> BlockSender.create(c, memory, false));
      FreshSoftDpu.DEVICE.faults("comch-producer-send:delay=5ms");
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      ReceiverOptions options = new ReceiverOptions(Optional.of(ServiceRig.HOST), PLENTY, true);
      TestProbe<ConnectionInfo> info = rig.system.kit.createTestProbe();
      for (int questions = 0; questions < 500; questions += 100) {
        ActorRef<ConnectionProtocol.Command> connection = rig.connect();
        rig.system.kit.spawn(
            BlockReceiver.create(connection, rig.clients, options, results.getRef()));
        for (int i = 0; i < questions; i++) {
          connection.tell(new GetInfo(info.getRef()));
          info.receiveMessage();
        }
        connection.tell(ConnectionProtocol.Stop.INSTANCE);
        assertThat(results.receiveMessage()).isInstanceOf(TransferFailed.class);
      }
      FreshSoftDpu.DEVICE.clearFaults();
      receive(rig, PLENTY, results);
      expect(results, geometry);
      rig.stop(memory);
    }
  }

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

  private static Buffer offer(ServiceRig rig, DataGeometry has, DataGeometry says) {
    BufferPool pool =
        rig.pool(ServiceRig.HOST, 1, (int) has.totalBytes(), Permission.PCI_READ_ONLY);
    Buffer memory = BlockMemory.fillWhole(pool, has);
    TestProbe<ExportReply> exports = rig.system.kit.createTestProbe();
    rig.system.engine.tell(new ExportPool(pool, exports.getRef()));
    byte[] descriptor = ((Exported) exports.receiveMessage()).export().bytes();
    rig.serve(MemoryOffer.of(DmaOffer.of(says, descriptor)));
    return memory;
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
  @ExpectedLog("sent away")
  void aClientThatSaysSomethingElseThanDoneIsSentAway() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      Buffer memory = offer(rig, new DataGeometry(1, 64), new DataGeometry(1, 64));
      ActorRef<ConnectionProtocol.Command> connection = rig.connect();
      TestProbe<Object> probe = rig.system.kit.createTestProbe();
      connection.tell(new Send("dome".getBytes(US_ASCII), probe.getRef().narrow()));
      probe.expectTerminated(connection);
      rig.stop(memory::release);
    }
  }

  /** The copier stops its context when a copy fails: that may come before the context's failure. */
  @Test
  @ExpectedLog(value = "the context stopped by itself", always = false)
  void aCopyThatFailsIsTold() throws Exception {
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

  @Test
  void wrongContentIsSeen() {
    try (ServiceRig rig = new ServiceRig()) {
      BufferPool pool = rig.pool(ServiceRig.DPU, 1, 1000, Permission.LOCAL_READ_WRITE);
      Buffer buffer = BlockMemory.fillWhole(pool, new DataGeometry(1, 1000));
      assertThat(BlockMemory.isFilled(buffer, 1000, (byte) 0)).isTrue();
      assertThat(BlockMemory.isFilled(buffer, 1000, (byte) 1)).isFalse();
      assertThat(BlockMemory.isFilled(buffer, 999, (byte) 0)).isFalse();
      for (int index : new int[] {0, 1, 500, 998, 999}) {
        buffer.bytes().put(index, (byte) 7);
        assertThat(BlockMemory.isFilled(buffer, 1000, (byte) 0)).as("%d", index).isFalse();
        buffer.bytes().put(index, (byte) 0);
      }
      buffer.release();
    }
  }
}
