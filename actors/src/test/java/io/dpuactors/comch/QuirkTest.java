package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.comch.Scene.Pair;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.comch.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.comch.ConnectionProtocol.Sent;
import io.dpuactors.protocol.comch.ConsumerProtocol;
import io.dpuactors.protocol.comch.ConsumerProtocol.Filled;
import io.dpuactors.protocol.comch.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.comch.ProducerProtocol;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.comch.ProducerProtocol.Produced;
import io.dpuactors.protocol.comch.ServerProtocol;
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
  void theyAreSurvived(String quirk, String stopped) throws InterruptedException {
    FreshSoftDpu.DEVICE.quirks(
        quirk.equals("all") ? "Q1,Q2,Q3,Q4,Q5,Q11,Q22,no-direct-copy" : quirk);
    try (Scene scene = Scene.create("")) {
      Pair pair = scene.pair(true);
      sendBlocks(scene, pair);
      scene.ledger.await(Produced.class, BLOCKS);
      assertThat(scene.ledger.await(Filled.class, BLOCKS)).hasSize(BLOCKS);
      if (stopped.equals("client")) {
        pair.client().tell(ConnectionProtocol.Stop.INSTANCE);
        scene.assertEnd(pair.all());
        scene.assertAlive(scene.bystander);
      } else {
        scene.server.tell(ServerProtocol.Stop.INSTANCE);
        scene.assertEnd(pair.all());
        scene.assertEnd(List.of(scene.server, scene.bystander));
      }
      scene.assertNothingLeft();
    }
  }

  /** Opens a consumer of the client and sends blocks from the server to it. */
  private static void sendBlocks(Scene scene, Pair pair) {
    BufferPool in = ComchPair.pool(scene.system, scene.clients, BLOCKS, 1024);
    BufferPool out = ComchPair.pool(scene.system, scene.system.engine, BLOCKS, 1024);
    ActorRef<ConsumerProtocol.Command> consumer = scene.consumer(pair.client(), "blocks", in);
    int id = scene.id(consumer);
    Awaitility.await()
        .atMost(Scene.SOON)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> pair.served().joined().contains(id));
    ActorRef<ProducerProtocol.Command> producer =
        scene.producer(pair.served().connection(), "blocks");
    for (int i = 0; i < BLOCKS; i++) {
      scene.produce(producer, out, id);
    }
    for (int i = 0; i < BLOCKS; i++) {
      scene.post(consumer, in);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fail", "again=5", "delay=20ms"})
  void aMessageThatFailsIsAnsweredAndTheConnectionGoesOn(String fault) throws InterruptedException {
    try (Scene scene = Scene.create("")) {
      FreshSoftDpu.DEVICE.faults("comch-send:" + fault + ":nth=5");
      for (int i = 0; i < 10; i++) {
        scene.send(scene.bystanderServed.connection(), "m" + i);
      }
      scene.ledger.await(SendReply.class, 10);
      FreshSoftDpu.DEVICE.clearFaults();
      if (fault.equals("fail")) {
        assertThat(scene.ledger.answers(SendFailed.class)).isNotEmpty();
      } else {
        assertThat(scene.ledger.answers(Sent.class)).hasSize(10);
      }
      scene.assertNothingLeft();
    }
  }

  @Test
  void aMessageThatIsTooLateIsAnsweredOnceAndComesAfterAll() throws InterruptedException {
    try (Scene scene = Scene.create("dpu.comch.connection.deadline = 50ms")) {
      FreshSoftDpu.DEVICE.faults("comch-send:delay=300ms:nth=1");
      scene.send(scene.bystanderServed.connection(), "late");
      SendFailed failed = scene.ledger.await(SendFailed.class, 1).get(0);
      assertThat(failed.error().code()).isEqualTo(DocaCode.TIME_OUT);
      scene.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"comch-producer-send:fail:nth=3", "comch-producer-send:again=50:every=2"})
  void blocksThatFailAreAnswered(String fault) throws InterruptedException {
    try (Scene scene = Scene.create("")) {
      Pair pair = scene.pair(false);
      FreshSoftDpu.DEVICE.faults(fault);
      sendBlocks(scene, pair);
      int answers = fault.contains("fail") ? BLOCKS - 1 : BLOCKS;
      scene.ledger.await(Produced.class, answers);
      FreshSoftDpu.DEVICE.clearFaults();
      scene.assertAlive(scene.bystander);
      scene.assertNothingLeft();
    }
  }

  @Test
  void aBlockThatIsTooLateIsRetainedUntilItComesAfterAll() throws InterruptedException {
    try (Scene scene = Scene.create("dpu.comch.producer.deadline = 50ms")) {
      Pair pair = scene.pair(false);
      FreshSoftDpu.DEVICE.faults("comch-producer-send:delay=300ms:nth=1");
      sendBlocks(scene, pair);
      ProduceFailed failed = scene.ledger.await(ProduceFailed.class, 1).get(0);
      assertThat(failed.error().code()).isEqualTo(DocaCode.TIME_OUT);
      assertThat(failed.ownership()).isEqualTo(Ownership.RETAINED);
      scene.assertNothingLeft();
      assertThat(scene.ledger.answers(PostFailed.class)).hasSizeLessThan(BLOCKS);
    }
  }

  /** The engine refuses a consumer whose pool is closed, and continues to run. */
  @Test
  void aConsumerIntoAClosedPoolCannotBeOpened() throws InterruptedException {
    try (Scene scene = Scene.create("")) {
      BufferPool pool = ComchPair.pool(scene.system, scene.clients, 1, 64);
      scene.close(scene.clients, pool);
      scene.openConsumer(scene.bystander, "in", pool);
      scene.ledger.settle();
      assertThat(scene.ledger.answers(io.dpuactors.protocol.ContextReply.OpenFailed.class))
          .hasSize(1);
      scene.assertAlive(scene.bystander);
      scene.assertNothingLeft();
    }
  }
}
