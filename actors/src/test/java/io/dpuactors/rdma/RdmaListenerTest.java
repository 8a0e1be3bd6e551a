package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.RdmaClientEvent;
import io.dpuactors.protocol.RdmaClientEvent.Connected;
import io.dpuactors.protocol.RdmaClientEvent.Lost;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connect;
import io.dpuactors.protocol.RdmaConnectionProtocol.ConnectFailed;
import io.dpuactors.protocol.RdmaConnectionProtocol.ConnectReply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.OpenFailed;
import io.dpuactors.protocol.RdmaConnectionProtocol.OpenReply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Opened;
import io.dpuactors.protocol.RdmaConnectionProtocol.Opening;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.rdma.ListenerRig.Served;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests connections by the connection manager: listeners, clients, and their restarts. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaListenerTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1", "192.0.2.30"})
  void aClientConnectsAndBothSidesSendMessages(String host) {
    try (ListenerRig rig = ListenerRig.create()) {
      TestProbe<RdmaConnectionProtocol.Event> answers = rig.system.kit.createTestProbe();
      var client = rig.client("client", RdmaClientOptions.of(host, ListenerRig.PORT));
      Served served = rig.accepted();
      client.tell(new RdmaConnectionProtocol.Subscribe(answers.getRef(), 10));
      rig.send(rig.clients, client, "question");
      assertThat(text(rig)).isEqualTo("question");
      rig.send(rig.system.engine, served.connection(), "answer");
      assertThat(((Message) answers.receiveMessage()).text()).isEqualTo("answer");
      assertThat(rig.replies.receiveMessage()).isInstanceOf(Completed.class);
      assertThat(rig.replies.receiveMessage()).isInstanceOf(Completed.class);
      assertThat(rig.connections())
          .isEqualTo(new RdmaListenerProtocol.Connections(List.of(served.connection()), 1, 0));
      client.tell(new Stop());
      assertThat(rig.closed().error().orElseThrow().code()).isEqualTo(DocaCode.CONNECTION_RESET);
      rig.endings.await(List.of(client, served.connection(), served.behavior()));
      assertThat(rig.awaitOpen()).isEqualTo(new RdmaListenerProtocol.Connections(List.of(), 1, 0));
      rig.assertNothingLeft();
    }
  }

  @Test
  void aConnectionThatEndsDoesNotAffectTheOthers() {
    try (ListenerRig rig = ListenerRig.create()) {
      var first = rig.client("first", rig.options());
      Served ofFirst = rig.accepted();
      var second = rig.client("second", rig.options());
      Served ofSecond = rig.accepted();
      rig.send(rig.clients, first, "leave");
      rig.endings.await(List.of(first, ofFirst.connection(), ofFirst.behavior()));
      rig.send(rig.clients, second, "still");
      assertThat(text(rig)).isEqualTo("still");
      rig.awaitOpen(ofSecond.connection());
      rig.assertNothingLeft();
    }
  }

  @Test
  void aPortAndAContextHaveOneListener() {
    try (ListenerRig rig = ListenerRig.create()) {
      assertThat(refused(rig, rig.here, "second", 4792)).isEqualTo(DocaCode.IN_USE);
      assertThat(refused(rig, rig.here, "listener", 4792)).isEqualTo(DocaCode.ALREADY_EXIST);
      assertThat(refused(rig, rig.here, "low", -1)).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(refused(rig, rig.here, "high", 65_536)).isEqualTo(DocaCode.INVALID_VALUE);
      var other = RdmaPair.opened(rig.system, "other", RdmaOptions.defaults().onDevice("03:00.0"));
      assertThat(refused(rig, other, "same-port", ListenerRig.PORT))
          .isEqualTo(DocaCode.ALREADY_EXIST);
      rig.listener.tell(new Stop());
      rig.endings.await(List.of(rig.listener));
      ListenerRig.opened(rig.open(other, "same-port", ListenerRig.PORT));
      rig.client("client", rig.options());
      rig.accepted();
      rig.assertNothingLeft();
    }
  }

  /** The first listener waits for a task of its connection, while the second one listens. */
  @Test
  void aListenerThatEndsLeavesThePortOfItsSuccessorOpen() {
    try (ListenerRig rig = ListenerRig.create()) {
      rig.client("client", rig.options());
      Served served = rig.accepted();
      FreshSoftDpu.DEVICE.faults("rdma-send:delay=3s");
      rig.send(rig.system.engine, served.connection(), "slow");
      rig.listener.tell(new Stop());
      assertThat(rig.connections().open()).containsExactly(served.connection());
      ListenerRig.opened(rig.open(rig.here, "second", ListenerRig.PORT));
      rig.endings.await(List.of(served.connection(), rig.listener));
      FreshSoftDpu.DEVICE.clearFaults();
      rig.client("late", rig.options());
      rig.accepted();
      rig.assertNothingLeft();
    }
  }

  private static DocaCode refused(
      ListenerRig rig, ActorRef<RdmaProtocol.Command> context, String name, int port) {
    RdmaListenerProtocol.OpenReply reply = rig.open(context, name, port);
    assertThat(reply).isInstanceOf(RdmaListenerProtocol.OpenFailed.class);
    return ((RdmaListenerProtocol.OpenFailed) reply).error().code();
  }

  @Test
  void aClientThatCannotConnectFailsForItsReason() {
    try (ListenerRig rig = ListenerRig.create()) {
      assertThat(refused(rig, "nobody", RdmaClientOptions.of(ListenerRig.HOST, 4792)))
          .isEqualTo(DocaCode.CONNECTION_ABORTED);
      assertThat(refused(rig, "name", RdmaClientOptions.of("localhost", 1)))
          .isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(refused(rig, "port", RdmaClientOptions.of("::1", 65_536)))
          .isEqualTo(DocaCode.INVALID_VALUE);
      SupervisorStrategy resume = SupervisorStrategy.resume().withLoggingEnabled(false);
      assertThat(refused(rig, "resume", rig.options().withSupervision(resume)))
          .isEqualTo(DocaCode.INVALID_VALUE);
      rig.assertNothingLeft();
    }
  }

  /** Quirk Q10: the library reports success and returns no address. */
  @ParameterizedTest
  @ValueSource(strings = {"", "Q10"})
  void anInvalidAddressIsTheSameErrorWithAndWithoutTheQuirk(String quirks) {
    FreshSoftDpu.DEVICE.quirks(quirks);
    try (ListenerRig rig = ListenerRig.create()) {
      OpenReply reply =
          rig.openClient("client", RdmaClientOptions.of("localhost", 1)).receiveMessage();
      assertThat(((OpenFailed) reply).error())
          .hasToString("doca_rdma_addr_create: DOCA_ERROR_INVALID_VALUE (6): localhost:1");
      rig.assertNothingLeft();
    }
  }

  private static DocaCode refused(ListenerRig rig, String name, RdmaClientOptions options) {
    OpenReply reply = rig.openClient(name, options).receiveMessage();
    assertThat(reply).isInstanceOf(OpenFailed.class);
    return ((OpenFailed) reply).error().code();
  }

  @Test
  void whenNoRestartIsLeftItFailsForTheSameReason() {
    try (ListenerRig rig = ListenerRig.create()) {
      SupervisorStrategy thrice =
          SupervisorStrategy.restartWithBackoff(Duration.ofMillis(1), Duration.ofMillis(1), 0)
              .withMaxRestarts(3)
              .withLoggingEnabled(false);
      OpenReply reply =
          rig.openClient(
                  "client",
                  RdmaClientOptions.of("::1", 4792)
                      .withSupervision(thrice)
                      .withListener(rig.life.getRef()))
              .receiveMessage();
      assertThat(((OpenFailed) reply).error().code()).isEqualTo(DocaCode.CONNECTION_ABORTED);
      for (int i = 0; i < 4; i++) {
        assertThat(rig.life.receiveMessage()).isInstanceOf(Lost.class);
      }
      rig.assertNothingLeft();
    }
  }

  /** The opener gets an answer in time. The listener reports the connection. */
  @Test
  void aRestartingClientWaitsForAListenerThatComesLater() {
    try (ListenerRig rig = ListenerRig.create("dpu.engine.open-deadline = 1s")) {
      rig.listener.tell(new Stop());
      rig.endings.await(List.of(rig.listener));
      var opened = rig.openClient("client", rig.options().withSupervision(ListenerRig.again(20)));
      Opening opening = (Opening) opened.receiveMessage();
      assertThat(opening.error().code()).isEqualTo(DocaCode.TIME_OUT);
      ListenerRig.opened(rig.open(rig.here, "later", ListenerRig.PORT));
      rig.accepted();
      assertThat(connected(rig)).isEqualTo(new Connected(opening.context(), 1));
      rig.send(rig.clients, opening.context(), "first");
      assertThat(text(rig)).isEqualTo("first");
      assertThat(rig.replies.receiveMessage()).isInstanceOf(Completed.class);
      opened.expectNoMessage(Duration.ZERO);
      rig.assertNothingLeft();
    }
  }

  private static RdmaClientEvent connected(ListenerRig rig) {
    return rig.life.fishForMessage(ListenerRig.SOON, ListenerRig.until(Connected.class)).get(0);
  }

  @Test
  void aRestartingClientConnectsAgainAfterALoss() {
    try (ListenerRig rig = ListenerRig.create()) {
      var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(10)));
      assertThat(rig.life.receiveMessage()).isEqualTo(new Connected(client, 1));
      Served first = rig.accepted();
      first.connection().tell(new Stop());
      Lost lost = (Lost) rig.life.receiveMessage();
      assertThat(lost.error().code()).isEqualTo(DocaCode.CONNECTION_RESET);
      rig.send(rig.clients, client, "again");
      rig.accepted();
      assertThat(connected(rig)).isEqualTo(new Connected(client, 2));
      assertThat(text(rig)).isEqualTo("again");
      assertThat(rig.connections().accepted()).isEqualTo(2);
      rig.assertNothingLeft();
    }
  }

  @Test
  @ExpectedLog("here: the context stopped by itself")
  void theListenerListensAgainAfterTheLossOfItsDevice() {
    try (ListenerRig rig = ListenerRig.create("dpu.rdma.restart.backoff = 1ms")) {
      var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(10)));
      Served first = rig.accepted();
      rig.loseDevice(false);
      rig.endings.await(List.of(first.connection(), first.behavior()));
      Served second = rig.accepted();
      rig.send(rig.clients, client, "again");
      assertThat(text(rig)).isEqualTo("again");
      assertThat(rig.connections())
          .isEqualTo(new RdmaListenerProtocol.Connections(List.of(second.connection()), 1, 0));
      rig.assertNothingLeft();
    }
  }

  /** Returns the text of the next message to a behavior. */
  private static String text(ListenerRig rig) {
    return ((Message)
            rig.events.fishForMessage(ListenerRig.SOON, ListenerRig.until(Message.class)).get(0))
        .text();
  }

  @Test
  @ExpectedLog("there: the context stopped by itself")
  void aRestartingClientSurvivesTheLossOfItsDevice() {
    try (ListenerRig rig = ListenerRig.create("dpu.rdma.restart.backoff = 1ms")) {
      var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(10)));
      Served first = rig.accepted();
      rig.loseDevice(true);
      rig.endings.await(List.of(first.connection()));
      rig.accepted();
      rig.send(rig.clients, client, "again");
      assertThat(text(rig)).isEqualTo("again");
      rig.assertNothingLeft();
    }
  }

  /** The client survives the restart of its context, and so does its open request. */
  @Test
  @ExpectedLog("there: the context stopped by itself")
  void aRestartOfTheContextKeepsTheDeadlineOfItsClients() {
    try (ListenerRig rig =
        ListenerRig.create("dpu { engine.open-deadline = 2s, rdma.restart.backoff = 1ms }")) {
      rig.listener.tell(new Stop());
      rig.endings.await(List.of(rig.listener));
      var opened = rig.openClient("client", rig.options().withSupervision(ListenerRig.again(20)));
      rig.loseDevice(true);
      Opening opening = (Opening) opened.receiveMessage();
      assertThat(opening.error().code()).isEqualTo(DocaCode.TIME_OUT);
      rig.assertNothingLeft();
    }
  }

  /** The listener's engine is blocked. The request is over before the listener can accept it. */
  @Test
  void theRequestOfAClientHasALimit() {
    try (ListenerRig rig = ListenerRig.create("dpu.rdma.request-timeout = 1s")) {
      var blocking = rig.client("blocking", rig.options());
      rig.accepted();
      rig.send(rig.clients, blocking, "block");
      rig.blockPoint.awaitBlocked();
      OpenFailed failed = (OpenFailed) rig.openClient("late", rig.options()).receiveMessage();
      assertThat(failed.error().code()).isEqualTo(DocaCode.CONNECTION_ABORTED);
      rig.blockPoint.release();
      rig.client("in-time", rig.options());
      rig.accepted();
      assertThat(rig.connections().open()).hasSize(2);
      rig.assertNothingLeft();
    }
  }

  @Test
  void theRequestTimeoutAloneLimitsAnAttempt() {
    try (ListenerRig rig =
        ListenerRig.create("dpu.rdma { request-timeout = 60s, start-deadline = 300ms }")) {
      var blocking = rig.client("blocking", rig.options());
      rig.accepted();
      rig.send(rig.clients, blocking, "block");
      rig.blockPoint.awaitBlocked();
      var opened = rig.openClient("late", rig.options());
      rig.awaitConnecting();
      opened.expectNoMessage(Duration.ofSeconds(1));
      rig.blockPoint.release();
      assertThat(opened.receiveMessage()).isInstanceOf(Opened.class);
      rig.accepted();
      rig.assertNothingLeft();
    }
  }

  @Test
  void requestsOfAConnectingClientWaitWithinTheirBounds() {
    try (ListenerRig rig =
        ListenerRig.create(
            "dpu.rdma { queue = 1, deadline = 1s, request-timeout = 5s, start-deadline = 5s }")) {
      var blocking = rig.client("blocking", rig.options());
      rig.accepted();
      rig.send(rig.clients, blocking, "block");
      rig.blockPoint.awaitBlocked();
      assertThat(rig.replies.receiveMessage()).isInstanceOf(Completed.class);
      var opened = rig.openClient("late", rig.options().withSupervision(ListenerRig.again(10)));
      rig.awaitConnecting();
      var late = rig.clientOf("late");
      rig.send(rig.clients, late, "waits");
      rig.send(rig.clients, late, "one too many");
      assertThat(rig.replies.receiveMessage()).isInstanceOf(Busy.class);
      Failed failed = (Failed) rig.replies.receiveMessage();
      assertThat(failed.code()).isEqualTo(DocaCode.TIME_OUT);
      rig.blockPoint.release();
      assertThat(opened.receiveMessage()).isInstanceOf(Opened.class);
      rig.assertNothingLeft();
    }
  }

  @Test
  void aSubscriberOfAnEndedClientReceivesClosed() {
    try (ListenerRig rig = ListenerRig.create()) {
      var client = rig.client("client", rig.options());
      rig.accepted();
      client.tell(new Stop());
      rig.endings.await(List.of(client));
      TestProbe<RdmaConnectionProtocol.Event> late = rig.system.kit.createTestProbe();
      client.tell(new Subscribe(late.getRef(), 1));
      assertThat(late.expectMessageClass(Closed.class).error())
          .map(DocaError::code)
          .contains(DocaCode.SHUTDOWN);
      rig.assertNothingLeft();
    }
  }

  @Test
  void aClientIsConnectedByItsAddressOnly() {
    try (ListenerRig rig = ListenerRig.create()) {
      var client = rig.client("client", rig.options());
      TestProbe<ConnectReply> probe = rig.system.kit.createTestProbe();
      client.tell(new Connect(new byte[8], probe.getRef()));
      ConnectFailed failed = (ConnectFailed) probe.receiveMessage();
      assertThat(failed.error().code()).isEqualTo(DocaCode.BAD_STATE);
      rig.assertNothingLeft();
    }
  }
}
