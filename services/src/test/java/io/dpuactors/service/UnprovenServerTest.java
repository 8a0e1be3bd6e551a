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
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.Footprint;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.wire.DataGeometry;
import io.dpuactors.wire.DmaOffer;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the memory that a client allocates for an announced size before the server has sent a
 * block.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class UnprovenServerTest {
  private static final long LIMIT = 4L << 30;

  /** bound of the growth: the pool, and other memory of the process */
  private static final long MAX_GROWTH_KIB = 256 << 10;

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
      receive(rig, LIMIT, results);
      ActorRef<ConnectionProtocol.Command> connection = waiting.receiveMessage();
      assertThat(Footprint.now().residentKib() - before).isLessThan(MAX_GROWTH_KIB);
      connection.tell(new Stop());
      expectFailure(results, "DOCA_ERROR_CONNECTION_RESET");
      rig.stop();
    }
  }

  @Test
  void moreBlocksThanTheHeapIsMeantForAreRefused() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      rig.serve(
          connection -> {
            connection.tell(Send.orFail("2000000000 1"));
            return Behaviors.ignore();
          });
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, LIMIT, results);
      expectFailure(results, "2000000000 blocks; the limit is 262144");
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
      ActorRef<MemoryProtocol.Command> engine =
          rig.system.kit.spawn(
              Behaviors.monitor(
                  MemoryProtocol.Command.class,
                  commands.getRef(),
                  Behaviors.receiveMessage(
                      command -> {
                        rig.clients.tell(command);
                        return Behaviors.same();
                      })));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      copy(rig, engine, 4, LIMIT, results);
      expectFailure(results, "fewer than");
      assertThat(commands.receiveMessage()).isInstanceOf(ClosePool.class);
      commands.expectNoMessage(Duration.ZERO);
      rig.stop(memory::release);
    }
  }

  /** The client registers blocks beyond the first 64 MiB after the first block has arrived. */
  @Test
  void moreThanTheUnprovenLimitArrives() throws Exception {
    DataGeometry geometry = new DataGeometry(9, 8 << 20);
    try (ServiceRig rig = new ServiceRig()) {
      BlockMemory memory = memory(rig, geometry);
      rig.serveBySessions(c -> send(rig, c, memory, false));
      TestProbe<Transfer> results = rig.system.kit.createTestProbe();
      receive(rig, LIMIT, results);
      expect(results, geometry);
      rig.stop(memory);
    }
  }
}
