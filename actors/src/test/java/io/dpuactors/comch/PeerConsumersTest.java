package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.comch.Scene.Served;
import io.dpuactors.protocol.comch.ClientEvent.Lost;
import io.dpuactors.protocol.comch.ConnectionEvent;
import io.dpuactors.protocol.comch.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.comch.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.comch.ConnectionEvent.Message;
import io.dpuactors.protocol.comch.ConnectionOptions;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.comch.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.comch.ConnectionProtocol.ConsumerThere;
import io.dpuactors.protocol.comch.ConnectionProtocol.NoConsumer;
import io.dpuactors.protocol.comch.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.comch.ConsumerProtocol;
import io.dpuactors.protocol.comch.ProducerProtocol;
import io.dpuactors.protocol.comch.ProducerProtocol.Produce;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.comch.ProducerProtocol.ProducerReply;
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
    try (Scene scene = Scene.create("")) {
      ActorRef<ConnectionProtocol.Command> client = client(scene, Scene.options());
      Served served = scene.accepted();
      TestProbe<ConnectionEvent> events = subscribed(scene, client);
      BufferPool pool = ComchPair.pool(scene.system, scene.system.engine, 1, 64);
      ActorRef<ConsumerProtocol.Command> consumer = scene.consumer(served.connection(), "in", pool);
      int id = ((ConsumerJoined) events.receiveMessage()).consumer();
      consumer.tell(ConsumerProtocol.Stop.INSTANCE);
      assertThat(events.receiveMessage()).isEqualTo(new ConsumerLeft(id));

      TestProbe<AwaitReply> awaited = scene.system.kit.createTestProbe();
      client.tell(new AwaitConsumer(Duration.ofMillis(1), awaited.getRef()));
      assertThat(awaited.receiveMessage())
          .isInstanceOfSatisfying(
              NoConsumer.class,
              none -> assertThat(none.error().code()).isEqualTo(DocaCode.TIME_OUT));
      assertProduceIsRefused(scene, scene.producer(client, "out"), id);
      TestProbe<ConnectionEvent> second = subscribed(scene, client);
      scene.send(served.connection(), "m");
      assertThat(second.receiveMessage()).isInstanceOf(Message.class);
      scene.assertNothingLeft();
    }
  }

  private static void assertProduceIsRefused(
      Scene scene, ActorRef<ProducerProtocol.Command> producer, int consumer) {
    BufferPool pool = ComchPair.pool(scene.system, scene.clients, 1, 64);
    Buffer src = pool.lease();
    assertThat(src).isNotNull();
    src.length(1);
    TestProbe<ProducerReply> produced = scene.system.kit.createTestProbe();
    producer.tell(new Produce(src, consumer, 0, produced.getRef()));
    ProduceFailed failed = (ProduceFailed) produced.receiveMessage();
    assertThat(failed.error().about()).contains("the peer has no such consumer");
    src.release();
  }

  @Test
  void requestsForAConsumerThatWaitAreBounded() throws InterruptedException {
    try (Scene scene = Scene.create("")) {
      ActorRef<ConnectionProtocol.Command> client =
          client(scene, Scene.options().withReceiveQueue(3));
      Served served = scene.accepted();
      TestProbe<AwaitReply> waiting = scene.system.kit.createTestProbe();
      for (int i = 0; i < 3; i++) {
        client.tell(new AwaitConsumer(Scene.LONG, waiting.getRef()));
      }
      TestProbe<AwaitReply> refused = scene.system.kit.createTestProbe();
      client.tell(new AwaitConsumer(Scene.LONG, refused.getRef()));
      assertThat(refused.receiveMessage())
          .isInstanceOfSatisfying(
              NoConsumer.class, none -> assertThat(none.error().code()).isEqualTo(DocaCode.FULL));
      scene.consumer(
          served.connection(), "in", ComchPair.pool(scene.system, scene.system.engine, 1, 64));
      assertThat(waiting.receiveSeveralMessages(3)).allMatch(ConsumerThere.class::isInstance);
      scene.assertNothingLeft();
    }
  }

  /** A peer that opens and closes consumers cannot fill the memory behind a slow subscriber. */
  @Test
  void eventsBehindASubscriberWithoutCreditAreBounded() throws InterruptedException {
    try (Scene scene = Scene.create("")) {
      ActorRef<ConnectionProtocol.Command> client = client(scene, Scene.options());
      Served served = scene.accepted();
      TestProbe<ConnectionEvent> events = subscribed(scene, client);
      scene.send(served.connection(), "taken");
      scene.send(served.connection(), "waits");
      BufferPool pool = ComchPair.pool(scene.system, scene.system.engine, 1, 64);
      for (int i = 0; i < MAX_EVENTS / 2; i++) {
        ActorRef<ConsumerProtocol.Command> consumer =
            scene.consumer(served.connection(), "in" + i, pool);
        consumer.tell(ConsumerProtocol.Stop.INSTANCE);
        events.expectTerminated(consumer);
      }
      scene.assertAlive(scene.bystander);
      scene.openConsumer(served.connection(), "last", pool);
      assertThat(((Lost) scene.heardUntil(Lost.class)).error().code()).isEqualTo(DocaCode.FULL);
      client.tell(new ConnectionProtocol.Grant(1));
      scene.assertEnd(List.of(client, served.connection()));
      scene.assertNothingLeft();
    }
  }

  private static ActorRef<ConnectionProtocol.Command> client(
      Scene scene, ConnectionOptions options) {
    return scene.client("subject", Scene.client().withConnection(options));
  }

  /** Returns a subscriber with credit for one message. */
  private static TestProbe<ConnectionEvent> subscribed(
      Scene scene, ActorRef<ConnectionProtocol.Command> client) {
    TestProbe<ConnectionEvent> events = scene.system.kit.createTestProbe();
    client.tell(new Subscribe(events.getRef(), 1));
    return events;
  }
}
