package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.ConnectionProtocol.ConsumerThere;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveFailed;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.Received;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests servers and clients through their public protocol. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ComchTest {
  private static final Duration SOON = ServerRig.SOON;

  @Test
  void pingIsAnsweredWithPong() {
    try (RunningSystem system = RunningSystem.create()) {
      ComchPair.server(system, ServerOptions.of("test-ping", ComchTest::pong));
      ActorRef<ConnectionProtocol.Command> client =
          ComchPair.client(
              system, system.spawnEngine("two"), "client", ClientOptions.of("test-ping"));
      TestProbe<ReceiveReply> messages = system.kit.createTestProbe();
      TestProbe<SendReply> sends = system.kit.createTestProbe();
      for (int i = 0; i < 100; i++) {
        client.tell(new Send(bytes("ping"), i, Optional.of(sends.getRef())));
        client.tell(new ReceiveMessage(SOON, messages.getRef()));
        assertThat(sends.receiveMessage()).isEqualTo(new Sent(i));
        assertThat(((Received) messages.receiveMessage()).message().text()).isEqualTo("pong");
      }
      client.tell(new Stop());
      messages.expectTerminated(client);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aClientThatFindsNoServerGetsATypedFailure() {
    try (RunningSystem system = RunningSystem.create()) {
      ConnectionProtocol.OpenReply reply =
          ComchPair.openClient(system, system.engine, "client", ClientOptions.of("test-nobody"));
      assertThat(reply).isInstanceOf(OpenFailed.class);
      OpenFailed<?> failed = (OpenFailed<?>) reply;
      assertThat(failed.error().code()).isEqualTo(DocaCode.CONNECTION_ABORTED);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aStoppingServerClosesClientsAfterAllEarlierMessages() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<ServerProtocol.Command> server =
          ComchPair.server(
              system,
              ServerOptions.of(
                  "test-stop",
                  connection -> {
                    for (int i = 0; i < 10; i++) {
                      connection.tell(Send.orFail("message " + i));
                    }
                    return Behaviors.ignore();
                  }));
      ActorRef<EngineProtocol.Command> two = system.spawnEngine("two");
      ActorRef<ConnectionProtocol.Command> client =
          ComchPair.client(system, two, "client", ClientOptions.of("test-stop"));
      TestProbe<ReceiveReply> messages = system.kit.createTestProbe();
      client.tell(new ReceiveMessage(SOON, messages.getRef()));
      assertThat(text(messages)).isEqualTo("message 0");
      server.tell(new Stop());
      messages.expectTerminated(server);
      for (int i = 1; i < 10; i++) {
        client.tell(new ReceiveMessage(SOON, messages.getRef()));
        assertThat(text(messages)).isEqualTo("message " + i);
      }
      messages.expectTerminated(client);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void buffersGoFromProducerToConsumer() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<ActorRef<ConnectionProtocol.Command>> accepted = system.kit.createTestProbe();
      TestProbe<ConnectionEvent> events = system.kit.createTestProbe();
      ComchPair.server(
          system,
          ServerOptions.of("test-data", connection -> forward(connection, accepted, events)));
      ActorRef<EngineProtocol.Command> two = system.spawnEngine("two");
      ActorRef<ConnectionProtocol.Command> client =
          ComchPair.client(system, two, "client", ClientOptions.of("test-data"));
      ActorRef<ConnectionProtocol.Command> served = accepted.receiveMessage();

      BufferPool inPool = ComchPair.pool(system, two, 4, 4096);
      BufferPool outPool = system.pool(4, 4096);
      TestProbe<ConsumerProtocol.OpenReply> consumers = system.kit.createTestProbe();
      client.tell(new OpenConsumer("in", DataOptions.into(inPool), consumers.getRef()));
      int id = ((ConsumerJoined) events.receiveMessage()).consumer();
      TestProbe<AwaitReply> there = system.kit.createTestProbe();
      served.tell(new AwaitConsumer(SOON, there.getRef()));
      assertThat(there.receiveMessage()).isEqualTo(new ConsumerThere(id));
      ActorRef<ConsumerProtocol.Command> consumer =
          ((ConsumerProtocol.Opened) consumers.receiveMessage()).context();
      TestProbe<ProducerProtocol.OpenReply> producers = system.kit.createTestProbe();
      served.tell(new OpenProducer("out", DataOptions.defaults(), producers.getRef()));
      ActorRef<ProducerProtocol.Command> producer =
          ((ProducerProtocol.Opened) producers.receiveMessage()).context();

      TestProbe<ProducerReply> produced = system.kit.createTestProbe();
      TestProbe<ConsumerReply> filled = system.kit.createTestProbe();
      for (int i = 0; i < 20; i++) {
        Buffer src = RunningSystem.buffer(outPool, bytes("block " + i));
        Produce request = new Produce(src, bytes("imm" + i), id, i, produced.getRef());
        assertThat(request).asString().contains(src.toString(), " bytes \"imm" + i + "\"");
        producer.tell(request);
        Buffer target = inPool.lease();
        assertThat(target).isNotNull();
        consumer.tell(new Post(target, i, filled.getRef()));
        Filled block = (Filled) filled.receiveMessage();
        byte[] content = new byte[block.dst().length()];
        block.dst().bytes().get(0, content);
        assertThat(new String(content, StandardCharsets.US_ASCII)).isEqualTo("block " + i);
        assertThat(block.immediate()).isEqualTo(bytes("imm" + i));
        assertThat(block).asString().contains("tag=" + i, " bytes \"imm" + i + "\"");
        block.dst().release();
        Produced sent = (Produced) produced.receiveMessage();
        assertThat(sent.tag()).isEqualTo(i);
        assertThat(sent.src()).isNotNull();
        sent.src().release();
      }
      Buffer unfilled = inPool.lease();
      assertThat(unfilled).isNotNull();
      consumer.tell(new Post(unfilled, 99, filled.getRef()));
      client.tell(new Stop());
      PostFailed flushed = (PostFailed) filled.receiveMessage();
      assertThat(flushed.tag()).isEqualTo(99);
      assertThat(flushed.error().code()).isEqualTo(DocaCode.SHUTDOWN);
      flushed.dst().release();
      assertThat(events.receiveMessage()).isEqualTo(new ConsumerLeft(id));
      assertThat(((Closed) events.receiveMessage()).error().orElseThrow().code())
          .isEqualTo(DocaCode.CONNECTION_RESET);
      filled.expectTerminated(client);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void payloadsLargerThanAMessageArriveComplete() {
    try (RunningSystem system = RunningSystem.create()) {
      ConnectionOptions framed =
          ConnectionOptions.defaults().withFraming(new MessageFraming(1 << 20));
      ComchPair.server(
          system, ServerOptions.of("test-framed", ComchTest::echo).withConnections(framed));
      ActorRef<ConnectionProtocol.Command> client =
          ComchPair.client(
              system,
              system.spawnEngine("two"),
              "client",
              ClientOptions.of("test-framed").withConnection(framed));
      TestProbe<ReceiveReply> messages = system.kit.createTestProbe();
      TestProbe<SendReply> sends = system.kit.createTestProbe();
      for (int size : new int[] {1, 4080, 4081, 100_000, 1 << 20}) {
        byte[] payload = new byte[size];
        Arrays.fill(payload, (byte) size);
        payload[size - 1] = 7;
        client.tell(new Send(payload, sends.getRef()));
        client.tell(new ReceiveMessage(SOON, messages.getRef()));
        assertThat(sends.receiveMessage()).isEqualTo(new Sent(0));
        assertThat(((Received) messages.receiveMessage()).message().bytes()).isEqualTo(payload);
      }
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aReceiveThatWaitsTooLongIsAnswered() {
    try (RunningSystem system = RunningSystem.create()) {
      ComchPair.server(system, ServerOptions.of("test-silent", connection -> Behaviors.ignore()));
      ActorRef<ConnectionProtocol.Command> client =
          ComchPair.client(
              system, system.spawnEngine("two"), "client", ClientOptions.of("test-silent"));
      TestProbe<ReceiveReply> messages = system.kit.createTestProbe();
      client.tell(new ReceiveMessage(Duration.ofMillis(20), messages.getRef()));
      assertThat(((ReceiveFailed) messages.receiveMessage()).error().code())
          .isEqualTo(DocaCode.TIME_OUT);
      client.tell(new ReceiveMessage(messages.getRef()));
      client.tell(new Stop());
      assertThat(((ReceiveFailed) messages.receiveMessage()).error().code())
          .isEqualTo(DocaCode.SHUTDOWN);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static Behavior<ConnectionEvent> pong(ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.receive(ConnectionEvent.class)
        .onMessage(
            Message.class,
            ping -> {
              connection.tell(Send.orFail("pong"));
              return Behaviors.same();
            })
        .onAnyMessage(event -> Behaviors.same())
        .build();
  }

  private static Behavior<ConnectionEvent> echo(ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.receive(ConnectionEvent.class)
        .onMessage(
            Message.class,
            message -> {
              connection.tell(Send.orFail(message.bytes()));
              return Behaviors.same();
            })
        .onAnyMessage(event -> Behaviors.same())
        .build();
  }

  private static Behavior<ConnectionEvent> forward(
      ActorRef<ConnectionProtocol.Command> connection,
      TestProbe<ActorRef<ConnectionProtocol.Command>> accepted,
      TestProbe<ConnectionEvent> events) {
    accepted.getRef().tell(connection);
    return Behaviors.receive(ConnectionEvent.class)
        .onAnyMessage(
            event -> {
              events.getRef().tell(event);
              return Behaviors.same();
            })
        .build();
  }

  private static String text(TestProbe<ReceiveReply> messages) {
    return ((Received) messages.receiveMessage()).message().text();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
