package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.RdmaClientEvent.Lost;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connect;
import io.dpuactors.protocol.RdmaConnectionProtocol.ConnectFailed;
import io.dpuactors.protocol.RdmaConnectionProtocol.ConnectReply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.protocol.RdmaConnectionProtocol.Written;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveFailed;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveMessage;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveReply;
import io.dpuactors.protocol.RdmaReceiveProtocol.Received;
import io.dpuactors.protocol.Stop;
import io.dpuactors.rdma.ListenerRig.Served;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.OptionalInt;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests receive requests of RDMA connections: each has one answer, in the order of arrival. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaReceiveTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  @Test
  void eachRequestTakesOneMessageInOrder() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      TestProbe<ReceiveReply> first = received(pair);
      TestProbe<ReceiveReply> second = received(pair);
      send(pair, 1);
      send(pair, 2);
      send(pair, 3);
      assertThat(number(first)).isEqualTo(1);
      assertThat(number(second)).isEqualTo(2);
      assertThat(number(received(pair))).isEqualTo(3);
      TestProbe<ReceiveReply> last = received(pair);
      pair.far.tell(new Stop());
      assertThat(failure(last)).isEqualTo(DocaCode.SHUTDOWN);
      first.expectNoMessage(Duration.ZERO);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aWriteWithImmediateDataIsReceived() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      BufferPool remote = pair.imported(pair.share(pair.shared(Permission.RDMA_WRITE)));
      Buffer there = RdmaPair.aimed(remote, 0, 3);
      Buffer local = RunningSystem.buffer(system.pool(1, 64), new byte[3]);
      pair.near.tell(new Write(local, there, OptionalInt.of(7), 1, pair.replies.getRef()));
      assertThat(received(pair).receiveMessage()).isEqualTo(new Received(new Written(3, 7)));
      assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      there.release();
      local.release();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** Both contexts have no memory for their first receives. */
  @Test
  void aReceiveWithoutMemoryIsPostedLater() {
    try (RunningSystem system = RunningSystem.create()) {
      FreshSoftDpu.DEVICE.faults("alloc-task:fail:first=4");
      RdmaOptions options = RdmaOptions.defaults().withReceives(2, 1024);
      RdmaPair pair = RdmaPair.create(system, options, options);
      TestProbe<ReceiveReply> receiver = received(pair);
      send(pair, 1);
      assertThat(number(receiver)).isEqualTo(1);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aLateRequestTakesNoMessage() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      TestProbe<ReceiveReply> late = system.kit.createTestProbe();
      pair.far.tell(new ReceiveMessage(SHORT, late.getRef()));
      assertThat(failure(late)).isEqualTo(DocaCode.TIME_OUT);
      send(pair, 1);
      assertThat(number(received(pair))).isEqualTo(1);
      late.expectNoMessage(Duration.ZERO);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aSubscriberTakesTheMessagesInPlaceOfTheRequests() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      TestProbe<ReceiveReply> waiting = received(pair);
      pair.read(1);
      assertThat(failure(waiting)).isEqualTo(DocaCode.IN_USE);
      assertThat(failure(received(pair))).isEqualTo(DocaCode.IN_USE);
      send(pair, 1);
      assertThat(((Message) pair.events.receiveMessage()).immediate()).hasValue(1);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void asManyRequestsAsTheShareMayWait() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaOptions options = RdmaOptions.defaults().withShare(1);
      RdmaPair pair = RdmaPair.create(system, options, options);
      TestProbe<ReceiveReply> waiting = received(pair);
      assertThat(failure(received(pair))).isEqualTo(DocaCode.FULL);
      send(pair, 1);
      assertThat(number(waiting)).isEqualTo(1);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The engine handles the first request, so that the connection has a reader. */
  @Test
  void messagesBeforeTheEndOfThePeerCanStillBeTaken() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      send(pair, 1);
      send(pair, 2);
      assertThat(number(received(pair))).isEqualTo(1);
      pair.near.tell(new Stop());
      pair.events.expectTerminated(pair.near);
      assertThat(number(received(pair))).isEqualTo(2);
      DocaCode end = failure(received(pair));
      assertThat(end).isIn(DocaCode.CONNECTION_RESET, DocaCode.SHUTDOWN);
      pair.events.expectTerminated(pair.far);
      assertThat(failure(received(pair))).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aRequestToAReconnectingClientWaitsForTheNextConnection() {
    try (ListenerRig rig = ListenerRig.create()) {
      var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(10)));
      Served first = rig.accepted();
      TestProbe<ReceiveReply> replies = rig.system.kit.createTestProbe();
      client.tell(new ReceiveMessage(replies.getRef()));
      awaitHandled(rig, client);
      first.connection().tell(new Stop());
      assertThat(failure(replies)).isEqualTo(DocaCode.CONNECTION_RESET);
      rig.life.fishForMessage(ListenerRig.SOON, ListenerRig.until(Lost.class));
      client.tell(new ReceiveMessage(replies.getRef()));
      Served second = rig.accepted();
      rig.send(rig.system.engine, second.connection(), "again");
      Received received = (Received) replies.receiveMessage();
      assertThat(((Message) received.event()).text()).isEqualTo("again");
      rig.assertNothingLeft();
    }
  }

  @Test
  void aRequestToAReconnectingClientHasADeadline() {
    try (ListenerRig rig = ListenerRig.create()) {
      var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(60_000)));
      rig.accepted().connection().tell(new Stop());
      rig.life.fishForMessage(ListenerRig.SOON, ListenerRig.until(Lost.class));
      TestProbe<ReceiveReply> late = rig.system.kit.createTestProbe();
      client.tell(new ReceiveMessage(SHORT, late.getRef()));
      assertThat(failure(late)).isEqualTo(DocaCode.TIME_OUT);
      rig.assertNothingLeft();
    }
  }

  /** Waits until a client has handled its earlier messages: it refuses this request at once. */
  private static void awaitHandled(
      ListenerRig rig, ActorRef<RdmaConnectionProtocol.Command> client) {
    TestProbe<ConnectReply> refused = rig.system.kit.createTestProbe();
    client.tell(new Connect(new byte[0], refused.getRef()));
    assertThat(refused.receiveMessage()).isInstanceOf(ConnectFailed.class);
  }

  /** Sends a message from the near side, and waits for its answer. */
  private static void send(RdmaPair pair, int number) {
    pair.near.tell(new Send(null, OptionalInt.of(number), number, pair.replies.getRef()));
    assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
  }

  /** Sends a receive request to the far side. */
  private static TestProbe<ReceiveReply> received(RdmaPair pair) {
    TestProbe<ReceiveReply> probe = pair.system.kit.createTestProbe();
    pair.far.tell(new ReceiveMessage(probe.getRef()));
    return probe;
  }

  private static int number(TestProbe<ReceiveReply> probe) {
    Received received = (Received) probe.receiveMessage();
    return ((Message) received.event()).immediate().orElseThrow();
  }

  private static DocaCode failure(TestProbe<ReceiveReply> probe) {
    return ((ReceiveFailed) probe.receiveMessage()).error().code();
  }
}
