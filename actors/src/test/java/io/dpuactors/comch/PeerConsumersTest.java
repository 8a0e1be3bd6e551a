package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.comch.ServerRig.Served;
import io.dpuactors.protocol.ClientEvent.Lost;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.ConnectionProtocol.ConsumerThere;
import io.dpuactors.protocol.ConnectionProtocol.NoConsumer;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.protocol.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a connection's record of its peer's consumers, and the bounds of the queued events. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class PeerConsumersTest {
  /** maximum number of Joined and Left events that wait behind messages */
  private static final int MAX_EVENTS = 1024;

  @Test
  void aConsumerThatHasLeftIsForgotten() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client = client(rig, ServerRig.options());
      Served served = rig.accepted();
      TestProbe<ConnectionEvent> events = subscribed(rig, client);
      BufferPool pool = ComchPair.pool(rig.system, rig.system.engine, 1, 64);
      ActorRef<ConsumerProtocol.Command> consumer = rig.consumer(served.connection(), "in", pool);
      int id = ((ConsumerJoined) events.receiveMessage()).consumer();
      consumer.tell(new Stop());
      assertThat(events.receiveMessage()).isEqualTo(new ConsumerLeft(id));

      TestProbe<AwaitReply> awaited = rig.system.kit.createTestProbe();
      client.tell(new AwaitConsumer(Duration.ofMillis(1), awaited.getRef()));
      assertThat(awaited.receiveMessage())
          .isInstanceOfSatisfying(
              NoConsumer.class,
              none -> assertThat(none.error().code()).isEqualTo(DocaCode.TIME_OUT));
      assertProduceIsRefused(rig, rig.producer(client, "out"), id);
      TestProbe<ConnectionEvent> second = subscribed(rig, client);
      rig.send(served.connection(), "m");
      assertThat(second.receiveMessage()).isInstanceOf(Message.class);
      rig.assertNothingLeft();
    }
  }

  private static void assertProduceIsRefused(
      ServerRig rig, ActorRef<ProducerProtocol.Command> producer, int consumer) {
    BufferPool pool = ComchPair.pool(rig.system, rig.clients, 1, 64);
    Buffer src = pool.lease();
    assertThat(src).isNotNull();
    src.length(1);
    TestProbe<ProducerReply> produced = rig.system.kit.createTestProbe();
    producer.tell(new Produce(src, consumer, 0, produced.getRef()));
    ProduceFailed failed = (ProduceFailed) produced.receiveMessage();
    assertThat(failed.error().about()).contains("the peer has no such consumer");
    src.release();
  }

  /** The requests to the first consumer fill every place of the producer in the bridge. */
  @Test
  void aConsumerThatPostsNothingDelaysNoOther() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client = client(rig, ServerRig.options());
      Served served = rig.accepted();
      TestProbe<ConnectionEvent> events = subscribed(rig, client);
      BufferPool in = ComchPair.pool(rig.system, rig.system.engine, 60, 64);
      ActorRef<ConsumerProtocol.Command> first = rig.consumer(served.connection(), "first", in);
      int toFirst = ((ConsumerJoined) events.receiveMessage()).consumer();
      ActorRef<ConsumerProtocol.Command> second = rig.consumer(served.connection(), "second", in);
      int toSecond = ((ConsumerJoined) events.receiveMessage()).consumer();
      ActorRef<ProducerProtocol.Command> producer = rig.producer(client, "out");
      BufferPool out = ComchPair.pool(rig.system, rig.clients, 60, 64);
      for (int i = 0; i < 40; i++) {
        rig.produce(producer, out, toFirst);
      }
      for (int i = 0; i < 20; i++) {
        rig.post(second, in);
        rig.produce(producer, out, toSecond);
      }
      rig.ledger.await(Produced.class, 20);
      for (int i = 0; i < 40; i++) {
        rig.post(first, in);
      }
      List<Produced> all = rig.ledger.await(Produced.class, 60);
      assertThat(all.subList(20, 60)).extracting(Produced::tag).isSorted();
      rig.assertNothingLeft();
    }
  }

  @Test
  void requestsForAConsumerThatWaitAreBounded() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client =
          client(rig, ServerRig.options().withReceiveQueue(3));
      Served served = rig.accepted();
      TestProbe<AwaitReply> waiting = rig.system.kit.createTestProbe();
      for (int i = 0; i < 3; i++) {
        client.tell(new AwaitConsumer(ServerRig.LONG, waiting.getRef()));
      }
      TestProbe<AwaitReply> refused = rig.system.kit.createTestProbe();
      client.tell(new AwaitConsumer(ServerRig.LONG, refused.getRef()));
      assertThat(refused.receiveMessage())
          .isInstanceOfSatisfying(
              NoConsumer.class, none -> assertThat(none.error().code()).isEqualTo(DocaCode.FULL));
      rig.consumer(served.connection(), "in", ComchPair.pool(rig.system, rig.system.engine, 1, 64));
      assertThat(waiting.receiveSeveralMessages(3)).allMatch(ConsumerThere.class::isInstance);
      rig.assertNothingLeft();
    }
  }

  /** A peer that opens and closes consumers cannot fill the memory behind a slow subscriber. */
  @Test
  void eventsBehindASubscriberWithoutCreditAreBounded() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client = client(rig, ServerRig.options());
      Served served = rig.accepted();
      TestProbe<ConnectionEvent> events = subscribed(rig, client);
      rig.send(served.connection(), "taken");
      rig.send(served.connection(), "waits");
      BufferPool pool = ComchPair.pool(rig.system, rig.system.engine, 1, 64);
      for (int i = 0; i < MAX_EVENTS / 2; i++) {
        ActorRef<ConsumerProtocol.Command> consumer =
            rig.consumer(served.connection(), "in" + i, pool);
        consumer.tell(new Stop());
        events.expectTerminated(consumer);
      }
      rig.assertAlive(rig.bystander);
      rig.openConsumer(served.connection(), "last", pool);
      assertThat(((Lost) rig.awaitEvent(Lost.class)).error().code()).isEqualTo(DocaCode.FULL);
      client.tell(new ConnectionProtocol.Grant(1));
      rig.assertEnd(List.of(client, served.connection()));
      rig.assertNothingLeft();
    }
  }

  private static ActorRef<ConnectionProtocol.Command> client(
      ServerRig rig, ConnectionOptions options) {
    return rig.client("subject", ServerRig.client().withConnection(options));
  }

  /** Returns a subscriber with credit for one message. */
  private static TestProbe<ConnectionEvent> subscribed(
      ServerRig rig, ActorRef<ConnectionProtocol.Command> client) {
    TestProbe<ConnectionEvent> events = rig.system.kit.createTestProbe();
    client.tell(new Subscribe(events.getRef(), 1));
    return events;
  }
}
