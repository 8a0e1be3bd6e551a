package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.comch.ServerRig.Pair;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests observed quirks of real devices, and failures of single tasks. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class QuirkTest {
  private static final int BLOCKS = 20;

  @ParameterizedTest
  @CsvSource({
    "Q1, client",
    "Q1, server",
    "Q2, client",
    "Q2, server",
    "Q3, client",
    "Q3, server",
    "Q4, client",
    "Q4, server",
    "Q5, server",
    "Q9, server",
    "Q11, server",
    "Q22, server",
    "no-direct-copy, server",
    "all, client",
    "all, server"
  })
  void transfersAndStopsSurviveQuirks(String quirk, String stopped) throws InterruptedException {
    FreshSoftDpu.DEVICE.quirks(
        quirk.equals("all") ? "Q1,Q2,Q3,Q4,Q5,Q11,Q22,no-direct-copy" : quirk);
    try (ServerRig rig = ServerRig.create("")) {
      Pair pair = rig.pair(true);
      sendBlocks(rig, pair);
      rig.ledger.await(Produced.class, BLOCKS);
      assertThat(rig.ledger.await(Filled.class, BLOCKS)).hasSize(BLOCKS);
      if (stopped.equals("client")) {
        pair.client().tell(new Stop());
        rig.assertEnd(pair.all());
        rig.assertAlive(rig.bystander);
      } else {
        rig.server.tell(new Stop());
        rig.assertEnd(pair.all());
        rig.assertEnd(List.of(rig.server, rig.bystander));
      }
      rig.assertNothingLeft();
    }
  }

  /** Opens a consumer of the client and sends blocks from the server to it. */
  private static void sendBlocks(ServerRig rig, Pair pair) {
    BufferPool in = ComchPair.pool(rig.system, rig.clients, BLOCKS, 1024);
    BufferPool out = ComchPair.pool(rig.system, rig.system.engine, BLOCKS, 1024);
    ActorRef<ConsumerProtocol.Command> consumer = rig.consumer(pair.client(), "blocks", in);
    int id = rig.id(consumer);
    Awaitility.await()
        .atMost(ServerRig.SOON)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> pair.served().joined().contains(id));
    ActorRef<ProducerProtocol.Command> producer =
        rig.producer(pair.served().connection(), "blocks");
    for (int i = 0; i < BLOCKS; i++) {
      rig.produce(producer, out, id);
    }
    for (int i = 0; i < BLOCKS; i++) {
      rig.post(consumer, in);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fail", "again=5", "delay=20ms"})
  void aFailedMessageIsAnsweredAndTheConnectionStaysOpen(String fault) throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      FreshSoftDpu.DEVICE.faults("comch-send:" + fault + ":nth=5");
      for (int i = 0; i < 10; i++) {
        rig.send(rig.bystanderServed.connection(), "m" + i);
      }
      rig.ledger.await(SendReply.class, 10);
      FreshSoftDpu.DEVICE.clearFaults();
      if (fault.equals("fail")) {
        assertThat(rig.ledger.answers(SendFailed.class)).isNotEmpty();
      } else {
        assertThat(rig.ledger.answers(Sent.class)).hasSize(10);
      }
      rig.assertNothingLeft();
    }
  }

  @Test
  void aLateMessageIsAnsweredOnceAndStillArrives() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("dpu.comch.connection.deadline = 50ms")) {
      FreshSoftDpu.DEVICE.faults("comch-send:delay=1s:nth=1");
      rig.send(rig.bystanderServed.connection(), "late");
      SendFailed failed = rig.ledger.await(SendFailed.class, 1).get(0);
      assertThat(failed.error().code()).isEqualTo(DocaCode.TIME_OUT);
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"comch-producer-send:fail:nth=3", "comch-producer-send:again=50:every=2"})
  void blocksThatFailAreAnswered(String fault) throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      Pair pair = rig.pair(false);
      FreshSoftDpu.DEVICE.faults(fault);
      sendBlocks(rig, pair);
      int answers = fault.contains("fail") ? BLOCKS - 1 : BLOCKS;
      rig.ledger.await(Produced.class, answers);
      FreshSoftDpu.DEVICE.clearFaults();
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }

  @Test
  void aLateBlockIsRetainedUntilItCompletes() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("dpu.comch.producer.deadline = 50ms")) {
      Pair pair = rig.pair(false);
      FreshSoftDpu.DEVICE.faults("comch-producer-send:delay=1s:nth=1");
      sendBlocks(rig, pair);
      ProduceFailed failed = rig.ledger.await(ProduceFailed.class, 1).get(0);
      assertThat(failed.error().code()).isEqualTo(DocaCode.TIME_OUT);
      assertThat(failed.ownership()).isEqualTo(Ownership.RETAINED);
      rig.assertNothingLeft();
      assertThat(rig.ledger.answers(PostFailed.class)).hasSizeLessThan(BLOCKS);
    }
  }

  /** The engine refuses a consumer whose pool is closed, and continues to run. */
  @Test
  void aConsumerIntoAClosedPoolCannotBeOpened() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      BufferPool pool = ComchPair.pool(rig.system, rig.clients, 1, 64);
      rig.close(rig.clients, pool);
      rig.openConsumer(rig.bystander, "in", pool);
      rig.ledger.settle();
      assertThat(rig.ledger.answers(io.dpuactors.protocol.ContextReply.OpenFailed.class))
          .hasSize(1);
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }
}
