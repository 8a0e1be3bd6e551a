package io.dpuactors.service;

import static io.dpuactors.service.Transfers.copy;
import static io.dpuactors.service.Transfers.expect;
import static io.dpuactors.service.Transfers.expectFailure;
import static io.dpuactors.service.Transfers.memory;
import static io.dpuactors.service.Transfers.offer;
import static io.dpuactors.service.Transfers.receive;
import static io.dpuactors.service.Transfers.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.service.BlockReceiver.ReceiverOptions;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.Footprint;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.wire.DataGeometry;
import io.dpuactors.wire.DmaOffer;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the memory that a client allocates for an announced size before the server has sent a
 * block.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class UnprovenServerTest {
  private static final long LIMIT = 4L << 30;

  /** bound of the growth: the pool, and other memory of the process */
  private static final long MAX_GROWTH_KIB = 128 << 10;

  /** Returns a reference that passes commands to the clients' engine, and shows them. */
  private static ActorRef<MemoryProtocol.Command> observed(
      ServiceRig rig, TestProbe<MemoryProtocol.Command> commands) {
    return rig.system.kit.spawn(
        Behaviors.monitor(
            MemoryProtocol.Command.class,
            commands.getRef(),
            Behaviors.receiveMessage(
                command -> {
                  rig.clients.tell(command);
                  return Behaviors.same();
                })));
  }

  @Test
  void aServerThatSendsNothingMakesTheClientTakeLittle() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      TestProbe<ActorRef<ConnectionProtocol.Command>> waiting = rig.system.kit.createTestProbe();
      rig.serve(
          connection -> {
            connection.tell(Send.orFail("2047 1048576"));
            return Behaviors.receiveMessage(
                event -> {
                  if (event instanceof ConsumerJoined) {
                    waiting.getRef().tell(connection);
                  }
                  return Behaviors.same();
                });
          });
      long before = Footprint.now().residentKib();
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      TestProbe<MemoryProtocol.Command> commands = rig.system.kit.createTestProbe();
      receive(rig, observed(rig, commands), LIMIT, results);
      ActorRef<ConnectionProtocol.Command> connection = waiting.receiveMessage();
      assertThat(Footprint.now().residentKib() - before).isLessThan(MAX_GROWTH_KIB);
      PoolOptions opened = commands.expectMessageClass(OpenPool.class).options();
      assertThat((long) opened.count() * opened.bufferBytes()).isEqualTo(64L << 20);
      connection.tell(new Stop());
      expectFailure(results, "DOCA_ERROR_CONNECTION_RESET");
      assertThat(commands.receiveMessage()).isInstanceOf(ClosePool.class);
      rig.stop();
    }
  }

  /** The client has no memory for this number of blocks, or for a block of this size. */
  @ParameterizedTest
  @CsvSource({
    "2000000000 1, 2000000000 blocks; the limit is 262144",
    "1 67108865, blocks of 67108865 bytes; the limit is 67108864"
  })
  void blocksBeyondTheLimitsAreRefused(String announced, String reason) throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      rig.serve(
          connection -> {
            connection.tell(Send.orFail(announced));
            return Behaviors.ignore();
          });
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, LIMIT, results);
      expectFailure(results, reason);
      rig.stop();
    }
  }

  @Test
  void anOfferOfMoreBlocksThanTheHeapIsMeantForIsRefused() throws Exception {
    DataGeometry tooMany = new DataGeometry((1 << 18) + 1, 1);
    try (ServiceRig rig = new ServiceRig()) {
      rig.serve(MemoryOffer.of(DmaOffer.of(tooMany, new byte[100])));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      copy(rig, 4, LIMIT, results);
      expectFailure(results, "262145 blocks; the limit is 262144");
      rig.stop();
    }
  }

  /** The export of 8 KiB is refused before the client opens memory for 2 GiB. */
  @Test
  void anOfferOfMoreThanTheExportTakesNoMemory() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      Buffer memory = offer(rig, new DataGeometry(2, 4096), new DataGeometry(2047, 1 << 20));
      TestProbe<MemoryProtocol.Command> commands = rig.system.kit.createTestProbe();
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      copy(rig, observed(rig, commands), 4, LIMIT, results);
      expectFailure(results, "fewer than");
      assertThat(commands.receiveMessage()).isInstanceOf(ClosePool.class);
      commands.expectNoMessage(Duration.ZERO);
      rig.stop(memory::release);
    }
  }

  /** The memory has room for 8, 21, 1 and 64 of these blocks. */
  @ParameterizedTest
  @CsvSource({"9, 8388608", "67, 3145728", "2, 67108864", "64, 1048576"})
  void laterBlocksUseTheSameMemory(int blocks, int blockBytes) throws Exception {
    DataGeometry geometry = new DataGeometry(blocks, blockBytes);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> send(rig, c, memory, false));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, LIMIT, results);
      expect(results, geometry);
      ReceiverOptions unchecked = new ReceiverOptions(Optional.of(ServiceRig.HOST), LIMIT, false);
      rig.system.kit.spawn(
          BlockReceiver.create(
              rig.connect(), rig.clients, rig.clients.narrow(), unchecked, results.getRef()));
      expect(results, geometry);
      rig.stop(memory);
    }
  }
}
