package io.dpuactors.service;

import static io.dpuactors.service.Transfers.PLENTY;
import static io.dpuactors.service.Transfers.copy;
import static io.dpuactors.service.Transfers.expect;
import static io.dpuactors.service.Transfers.expectFailure;
import static io.dpuactors.service.Transfers.memory;
import static io.dpuactors.service.Transfers.receive;
import static io.dpuactors.service.Transfers.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.ConnectionInfo;
import io.dpuactors.protocol.ConnectionProtocol.GetInfo;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.OpenWindows;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.service.BlockReceiver.ReceiverOptions;
import io.dpuactors.service.Transfer.TransferFailed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.wire.DataGeometry;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests blocks that arrive over the fast path. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BlocksTest {
  @ParameterizedTest
  @CsvSource({"1, 1", "300, 1", "300, 1000", "7, 200000"})
  void blocksArriveWithTheirContent(int blocks, int blockBytes) throws Exception {
    DataGeometry geometry = new DataGeometry(blocks, blockBytes);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> send(rig, c, memory, blocks % 2 == 0));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, PLENTY, results);
      expect(results, geometry);
      rig.stop(memory);
    }
  }

  /** There are more clients than blocks and spares: clients wait for each other. */
  @Test
  void clientsThatWantTheSameBlockAllGetIt() throws Exception {
    DataGeometry geometry = new DataGeometry(2, 50_000);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> send(rig, c, memory, false));
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
      rig.serveBySessions(c -> send(rig, c, memory, false));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, 1999, results);
      expectFailure(results, "2000 bytes; the limit is 1999");
      rig.stop(memory);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "256", "0 5", "99999999 99999999", "4 4|4 4"})
  void aClientLeavesAServerThatSendsInvalidMessages(String nonsense) throws Exception {
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

  @Test
  void aClientLeavesAServerThatSendsNoBlocks() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      rig.serve(
          connection -> {
            connection.tell(Send.orFail("2 4096"));
            return Behaviors.ignore();
          });
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      ReceiverOptions options = new ReceiverOptions(Optional.of(ServiceRig.HOST), PLENTY, true);
      rig.system.kit.spawn(
          BlockReceiver.create(
              rig.connect(),
              rig.clients,
              rig.clients.narrow(),
              options,
              Duration.ofMillis(100),
              results.getRef()));
      assertThat(results.receiveMessage().toString()).contains("the server sent nothing for 0 s");
      rig.stop();
    }
  }

  /** The receiver has a posted buffer, and the sender has one in flight: both buffers return. */
  @Test
  void aConnectionThatEndsInBetweenTakesNothingWithIt() throws Exception {
    DataGeometry geometry = new DataGeometry(200, 4096);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> send(rig, c, memory, false));
      FreshSoftDpu.DEVICE.faults("comch-producer-send:delay=5ms");
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      ReceiverOptions options = new ReceiverOptions(Optional.of(ServiceRig.HOST), PLENTY, true);
      TestProbe<ConnectionInfo> info = rig.system.kit.createTestProbe();
      for (int questions = 0; questions < 500; questions += 100) {
        ActorRef<ConnectionProtocol.Command> connection = rig.connect();
        rig.system.kit.spawn(
            BlockReceiver.create(
                connection, rig.clients, rig.clients.narrow(), options, results.getRef()));
        for (int i = 0; i < questions; i++) {
          connection.tell(new GetInfo(info.getRef()));
          info.receiveMessage();
        }
        connection.tell(new Stop());
        assertThat(results.receiveMessage()).isInstanceOf(TransferFailed.class);
      }
      FreshSoftDpu.DEVICE.clearFaults();
      receive(rig, PLENTY, results);
      expect(results, geometry);
      rig.stop(memory);
    }
  }

  @Test
  void blocksOfTheTimeBeforeAreWrong() {
    DataGeometry geometry = new DataGeometry(300, 7);
    try (ServiceRig rig = new ServiceRig()) {
      BufferPool pool = rig.pool(ServiceRig.DPU, 300, 7, Permission.LOCAL_READ_WRITE);
      for (int time = 0; time < 2; time++) {
        BlockRoom room = Objects.requireNonNull(BlockRoom.lease(pool, geometry));
        assertThat(room.countWrong()).isEqualTo(300);
        for (int i = 0; i < 300; i++) {
          BlockMemory.filled(room.block(i), 7, DataGeometry.fill(i));
        }
        assertThat(room.countWrong()).isZero();
        assertThat(room.countWrong(256, 300)).isZero();
        room.prepare(256);
        assertThat(room.countWrong(256, 300)).isEqualTo(44);
        room.release();
      }
    }
  }

  @Test
  void aBatchWithTooFewWindowsHoldsNone() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, new DataGeometry(3, 64));
      TestProbe<PoolReply> pools = rig.system.kit.createTestProbe();
      rig.system.engine.tell(new OpenWindows(memory.pool(), 2, pools.getRef()));
      BufferPool windows = pools.expectMessageClass(PoolOpened.class).pool();
      assertThat(memory.batch(windows, 0, 3)).isNull();
      assertThat(windows.available()).isEqualTo(2);
      rig.stop(memory);
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

  /** Many windows of the same memory are sent at the same time. */
  @Test
  void clientsThatPostNoReceiveDelayNoOtherClient() throws Exception {
    DataGeometry geometry = new DataGeometry(256, 4096);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> send(rig, c, memory, false));
      for (int i = 0; i < 12; i++) {
        stall(rig);
      }
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, PLENTY, results);
      expect(results, geometry);
      rig.stop(memory);
    }
  }

  @Test
  @ExpectedLog("it has taken no block for 200 ms")
  void aClientThatPostsNoReceiveIsDisconnected() throws Exception {
    DataGeometry geometry = new DataGeometry(256, 4096);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      Duration stallLimit = Duration.ofMillis(200);
      rig.serveBySessions(c -> BlockSender.create(c, rig.system.engine, memory, false, stallLimit));
      TestProbe<Object> ends = rig.system.kit.createTestProbe();
      ends.expectTerminated(stall(rig));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, PLENTY, results);
      expect(results, geometry);
      rig.stop(memory);
    }
  }

  /** Connects a client whose consumer posts nothing. */
  private static ActorRef<ConnectionProtocol.Command> stall(ServiceRig rig) {
    ActorRef<ConnectionProtocol.Command> connection = rig.connect();
    TestProbe<PoolReply> pools = rig.system.kit.createTestProbe();
    rig.clients.tell(
        new OpenPool(
            PoolOptions.of(1, 4096)
                .onDevice(ServiceRig.HOST)
                .withPermissions(Set.of(Permission.PCI_READ_WRITE)),
            pools.getRef()));
    BufferPool pool = pools.expectMessageClass(PoolOpened.class).pool();
    TestProbe<ConsumerProtocol.OpenReply> opens = rig.system.kit.createTestProbe();
    connection.tell(new OpenConsumer("blocks", DataOptions.into(pool), opens.getRef()));
    assertThat(opens.receiveMessage()).isInstanceOf(Opened.class);
    return connection;
  }
}
