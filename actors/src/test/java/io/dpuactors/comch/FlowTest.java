package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.comch.ServerRig.Served;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ClientEvent.Lost;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.GetInfo;
import io.dpuactors.protocol.ConnectionProtocol.Grant;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveFailed;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.Received;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.Ledger.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the order and the bounds of sent and received messages. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class FlowTest {
  private static ActorRef<ConnectionProtocol.Command> client(
      ServerRig rig, ConnectionOptions options) {
    return rig.client("subject", ServerRig.client().withConnection(options));
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(ServerRig.SOON).pollInterval(Duration.ofMillis(1)).until(condition);
  }

  private static int waiting(ServerRig rig, ActorRef<ConnectionProtocol.Command> connection) {
    TestProbe<ConnectionProtocol.ConnectionInfo> info = rig.system.kit.createTestProbe();
    connection.tell(new GetInfo(info.getRef()));
    return info.receiveMessage().waiting();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void beyondWindowAndQueueASenderReceivesAnError(boolean framed) throws InterruptedException {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (ServerRig rig = ServerRig.create("")) {
      ConnectionOptions options = framed ? ServerRig.options() : ConnectionOptions.defaults();
      ComchPair.openServer(
          rig.system,
          rig.system.engine,
          "other",
          ServerOptions.of("test-other", connection -> Behaviors.ignore())
              .withConnections(options));
      ActorRef<ConnectionProtocol.Command> client =
          rig.client(
              "subject",
              ClientOptions.of("test-other").withConnection(options.withWindow(2).withQueue(3)));
      FreshSoftDpu.DEVICE.faults("comch-send:delay=1ms");
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its tasks
      for (int i = 0; i < 10; i++) {
        rig.send(client, "silence " + i);
      }
      rig.ledger.await(Busy.class, 5);
      FreshSoftDpu.DEVICE.manualClock(false);
      rig.ledger.settle();
      assertThat(rig.ledger.answers(Sent.class)).extracting(Sent::tag).isSorted().hasSize(5);
      assertThat(rig.ledger.answers(Busy.class)).hasSize(5);
      rig.assertNothingLeft();
    }
  }

  @Test
  void withoutAQueueFramedPayloadsStillGo() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client = client(rig, ServerRig.options().withQueue(0));
      rig.accepted();
      for (int i = 0; i < 3; i++) {
        rig.send(client, new byte[100_000]);
        assertThat(rig.ledger.await(SendReply.class, i + 1)).last().isInstanceOf(Sent.class);
      }
      rig.assertNothingLeft();
    }
  }

  @Test
  void anOversizedMessageIsRefusedAndTheConnectionStaysOpen() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      rig.send(rig.bystander, new byte[(1 << 20) + 1]);
      assertThat(rig.ledger.await(SendFailed.class, 1).get(0).error().code())
          .isEqualTo(DocaCode.INVALID_VALUE);
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }

  /**
   * A client that does not read loses its connection. The client receives the messages queued until
   * then.
   */
  @Test
  void aFullReceiveQueueEndsThisConnectionOnly() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client =
          client(rig, ServerRig.options().withReceiveQueue(5));
      Served served = rig.accepted();
      for (int i = 0; i < 10; i++) {
        rig.send(served.connection(), "m" + i);
      }
      await(() -> rig.nodes.isIn("subject", "DRAINING"));
      TestProbe<ReceiveReply> replies = rig.system.kit.createTestProbe();
      for (int i = 0; i < 5; i++) {
        client.tell(new ReceiveMessage(replies.getRef()));
        assertThat(text(replies)).isEqualTo("m" + i);
      }
      assertThat(((Lost) rig.awaitEvent(Lost.class)).error().code()).isEqualTo(DocaCode.FULL);
      rig.assertEnd(List.of(client, served.connection()));
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void aSubscriberGetsNoMoreThanItsCredit(int credit) throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client = client(rig, ServerRig.options());
      Served served = rig.accepted();
      for (int i = 0; i < 20; i++) {
        rig.send(served.connection(), "m" + i);
      }
      await(() -> waiting(rig, client) == 20);
      TestProbe<ConnectionEvent> events = rig.system.kit.createTestProbe();
      client.tell(new Subscribe(events.getRef(), credit));
      for (int i = 0; i < 20; i++) {
        if (i >= credit) {
          assertThat(waiting(rig, client)).isEqualTo(20 - i);
          client.tell(new Grant(1));
        }
        assertThat(((Message) events.receiveMessage()).text()).isEqualTo("m" + i);
      }
      rig.assertNothingLeft();
    }
  }

  @Test
  void receiversAreServedInTheirOrder() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client =
          client(rig, ServerRig.options().withReceiveQueue(50));
      Served served = rig.accepted();
      List<TestProbe<ReceiveReply>> receivers =
          IntStream.range(0, 51)
              .mapToObj(i -> rig.system.kit.<ReceiveReply>createTestProbe())
              .toList();
      receivers.forEach(one -> client.tell(new ReceiveMessage(one.getRef())));
      assertThat(((ReceiveFailed) receivers.get(50).receiveMessage()).error().code())
          .isEqualTo(DocaCode.FULL);
      for (int i = 0; i < 49; i++) {
        rig.send(served.connection(), "m" + i);
      }
      for (int i = 0; i < 49; i++) {
        assertThat(text(receivers.get(i))).isEqualTo("m" + i);
      }
      TestProbe<ConnectionEvent> events = rig.system.kit.createTestProbe();
      client.tell(new Subscribe(events.getRef(), 1));
      assertThat(((ReceiveFailed) receivers.get(49).receiveMessage()).error().code())
          .isEqualTo(DocaCode.IN_USE);
      rig.assertNothingLeft();
    }
  }

  /** A new subscriber receives the present state, the end once, and no event after the end. */
  @Test
  void aNewSubscriberReceivesEachEventOnce() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client = client(rig, ServerRig.options());
      Served served = rig.accepted();
      TestProbe<ConnectionEvent> first = rig.system.kit.createTestProbe();
      client.tell(new Subscribe(first.getRef(), 1));
      rig.send(served.connection(), "m0");
      rig.send(served.connection(), "m1");
      await(() -> waiting(rig, client) == 1);
      rig.consumer(served.connection(), "in", ComchPair.pool(rig.system, rig.system.engine, 1, 64));
      assertThat(first.receiveMessage()).isInstanceOf(Message.class);
      TestProbe<ConnectionProtocol.AwaitReply> there = rig.system.kit.createTestProbe();
      client.tell(new ConnectionProtocol.AwaitConsumer(ServerRig.SOON, there.getRef()));
      there.receiveMessage();
      TestProbe<ConnectionEvent> second = rig.system.kit.createTestProbe();
      client.tell(new Subscribe(second.getRef(), 1));
      assertThat(second.receiveMessage()).isInstanceOf(ConsumerJoined.class);
      assertThat(((Message) second.receiveMessage()).text()).isEqualTo("m1");
      client.tell(new Stop());
      assertThat(((Closed) second.receiveMessage()).error()).isEmpty();
      rig.assertEnd(List.of(client, served.connection()));
      second.expectNoMessage(Duration.ZERO);
      first.expectNoMessage(Duration.ZERO);
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"no frame at all", "x"})
  void anInvalidFrameEndsOnlyItsConnection(String nonsense) throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client = client(rig, ConnectionOptions.defaults());
      Served served = rig.accepted();
      rig.send(client, nonsense);
      rig.assertEnd(List.of(client, served.connection(), served.behavior()));
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }

  @Test
  void aPayloadBeyondTheLimitOfTheReceiverEndsThisConnectionOnly() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client =
          client(rig, ConnectionOptions.defaults().withFraming(new MessageFraming(1 << 22)));
      Served served = rig.accepted();
      rig.send(client, new byte[(1 << 20) + 1]);
      rig.assertEnd(List.of(client, served.connection(), served.behavior()));
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }

  /** A program may write "for ever" as the longest duration. */
  @Test
  void timesBeyondCountingMeanForEver() throws InterruptedException {
    try (ServerRig rig = ServerRig.create("")) {
      Duration ever = Duration.ofSeconds(Long.MAX_VALUE);
      ActorRef<ConnectionProtocol.Command> client =
          client(rig, ServerRig.options().withDeadline(ever));
      rig.accepted();
      client.tell(new ReceiveMessage(ever, rig.ledger.asks(Kind.RECEIVE)));
      rig.send(client, "ping");
      rig.ledger.settle();
      assertThat(rig.ledger.answers(Received.class)).hasSize(1);
      rig.assertNothingLeft();
    }
  }

  /**
   * The server accepts all clients that arrived while its engine was blocked, each with a unique
   * name.
   */
  @Test
  void manyThatComeAtOnceAreAllServed() {
    try (ServerRig rig = ServerRig.create("")) {
      rig.bystanderServed.behavior().tell(new Message("block".getBytes(StandardCharsets.US_ASCII)));
      rig.blockPoint.awaitBlocked();
      TestProbe<ConnectionProtocol.OpenReply> opened = rig.system.kit.createTestProbe();
      for (int i = 0; i < 20; i++) {
        rig.clients.tell(
            new OpenComchClient("one-of-many-" + i, ServerRig.client(), opened.getRef()));
      }
      Awaitility.await()
          .atMost(ServerRig.SOON)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> rig.nodes.isIn("one-of-many-19", "STARTING"));
      rig.blockPoint.release();
      for (int i = 0; i < 20; i++) {
        assertThat(opened.receiveMessage()).isInstanceOf(Opened.class);
        rig.accepted();
      }
      rig.assertAlive(rig.bystander);
      TestProbe<ServerProtocol.Connections> connections = rig.system.kit.createTestProbe();
      rig.server.tell(new ServerProtocol.GetConnections(connections.getRef()));
      assertThat(connections.receiveMessage().open()).hasSize(21);
    }
  }

  private static String text(TestProbe<ReceiveReply> replies) {
    return ((Received) replies.receiveMessage()).message().text();
  }
}
