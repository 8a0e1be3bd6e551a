package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.comch.ServerRig.Pair;
import io.dpuactors.protocol.ClientEvent.Lost;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.GetId;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.protocol.ProducerProtocol.ProducerId;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the order of requests that cannot start at once. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class WaitingTest {
  /** number of blocks, more than the window of a producer */
  private static final int BLOCKS = 20;

  /** more than the engine answers until the end of a lost context */
  private static final int QUESTIONS = 20_000;

  private static final String ONE_MESSAGE_PER_TURN =
      """
      dpu.engine.max-mailbox-runs = 1
      dpu.engine-dispatcher.throughput = 1
      dpu.comch.server.restart.backoff = 1ms
      """;

  private static void post(
      ServerRig rig, ActorRef<ConsumerProtocol.Command> consumer, BufferPool pool) {
    for (int i = 0; i < BLOCKS; i++) {
      rig.post(consumer, pool);
    }
  }

  /**
   * The actor receives the questions after the end of its native context, and before its own end.
   */
  @Test
  @ExpectedLog("server: the context stopped by itself")
  void aLostProducerAnswersEachQuestionForItsId() throws InterruptedException {
    try (ServerRig rig = ServerRig.create(ONE_MESSAGE_PER_TURN)) {
      Pair pair = rig.pair(true);
      ActorRef<ConnectionProtocol.Command> connection = pair.served().connection();
      BufferPool pool = ComchPair.pool(rig.system, rig.system.engine, 1, 64);
      ActorRef<ProducerProtocol.Command> producer = rig.producer(connection, "lost");
      int consumer = rig.id(pair.data().get(1).consumer());
      FreshSoftDpu.DEVICE.faults("comch-producer-send:lost");
      rig.blockEngine(false);
      rig.produce(producer, pool, consumer);
      TestProbe<ProducerId> ids = rig.system.kit.createTestProbe();
      for (int i = 0; i < QUESTIONS; i++) {
        producer.tell(new GetId(ids.getRef()));
      }
      rig.blockPoint.release();
      assertThat(ids.receiveSeveralMessages(QUESTIONS, ServerRig.LONG))
          .extracting(ProducerId::id)
          .endsWith(0);
      rig.assertNothingLeft();
    }
  }

  /** Requests keep their order per consumer, not across consumers. */
  @Test
  void aConsumerThatHasPostedNothingHoldsUpNoOther() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      Pair pair = rig.pair(false);
      BufferPool in = ComchPair.pool(rig.system, rig.clients, 2 * BLOCKS, 64);
      BufferPool out = ComchPair.pool(rig.system, rig.system.engine, 2 * BLOCKS, 64);
      ActorRef<ConsumerProtocol.Command> idle = rig.consumer(pair.client(), "idle", in);
      ActorRef<ConsumerProtocol.Command> fed = rig.consumer(pair.client(), "fed", in);
      List<Integer> ids = List.of(rig.id(idle), rig.id(fed));
      Fixtures.await("both are known", () -> pair.served().joined().containsAll(ids));
      ActorRef<ProducerProtocol.Command> producer = rig.producer(pair.served().connection(), "out");
      ids.forEach(
          id -> {
            for (int i = 0; i < BLOCKS; i++) {
              rig.produce(producer, out, id);
            }
          });
      post(rig, fed, in);
      assertThat(rig.ledger.await(Produced.class, BLOCKS))
          .extracting(Produced::tag)
          .isSorted()
          .allMatch(tag -> tag >= BLOCKS);
      rig.ledger.await(Filled.class, BLOCKS);
      post(rig, idle, in);
      assertThat(rig.ledger.await(Produced.class, 2 * BLOCKS).subList(BLOCKS, 2 * BLOCKS))
          .extracting(Produced::tag)
          .isSorted()
          .allMatch(tag -> tag < BLOCKS);
      rig.ledger.await(Filled.class, 2 * BLOCKS);
      rig.assertNothingLeft();
    }
  }

  /**
   * The connection checks the message at its turn. The invalid message fails all waiting messages.
   */
  @Test
  void aMessageThatEndsItsConnectionFromWithinTheQueueIsAnsweredOnce() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ComchPair.openServer(
          rig.system,
          rig.system.engine,
          "other",
          ServerOptions.of("test-other", connection -> Behaviors.ignore()));
      ActorRef<ConnectionProtocol.Command> client =
          rig.client(
              "subject",
              ClientOptions.of("test-other")
                  .withConnection(ConnectionOptions.defaults().withWindow(1)));
      FreshSoftDpu.DEVICE.faults("comch-send:delay=100ms:nth=1");
      rig.send(client, "slow");
      rig.send(client, "next");
      client.tell(Send.orFail(new byte[5000]));
      rig.send(client, "behind");
      assertThat(((Lost) rig.awaitEvent(Lost.class)).error().code())
          .isEqualTo(DocaCode.INVALID_VALUE);
      rig.assertEnd(List.of(client));
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }
}
