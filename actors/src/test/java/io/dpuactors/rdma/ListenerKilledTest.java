package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.RdmaClientEvent.Connected;
import io.dpuactors.protocol.RdmaClientEvent.Lost;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaEventProtocol.AddToEvent;
import io.dpuactors.protocol.RdmaEventProtocol.CloseRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.EventValue;
import io.dpuactors.protocol.RdmaEventProtocol.OpenRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.OpenReply;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventClosed;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventOpened;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventRefused;
import io.dpuactors.rdma.ListenerRig.Served;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.PeerProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests connections between two processes, and the kill of either. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ListenerKilledTest {
  private static final int OF_PEER = 4795;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aClientIsKilled(boolean whileSending) throws IOException {
    try (ListenerRig rig = ListenerRig.create();
        PeerProcess peer = peer("client", ListenerRig.PORT)) {
      peer.awaitReady();
      Served served = rig.accepted();
      rig.send(rig.system.engine, served.connection(), "hello");
      assertThat(((Message) rig.events.receiveMessage()).bytes()).isEmpty();
      assertThat(rig.replies.receiveMessage()).isInstanceOf(Completed.class);
      if (whileSending) {
        FreshSoftDpu.DEVICE.faults("rdma-send:delay=200ms");
        rig.send(rig.system.engine, served.connection(), "slow");
      }
      peer.kill();
      assertThat(rig.closed().error().orElseThrow().code()).isEqualTo(DocaCode.CONNECTION_RESET);
      rig.endings.await(List.of(served.connection(), served.behavior()));
      if (whileSending) {
        rig.replies.receiveMessage();
      }
      rig.client("next", rig.options());
      rig.accepted();
      rig.assertNothingLeft();
    }
  }

  /** The client connects again when a new process listens. */
  @Test
  void aListenerIsKilled() throws IOException {
    try (ListenerRig rig = ListenerRig.create()) {
      RdmaClientOptions options =
          RdmaClientOptions.of(ListenerRig.HOST, OF_PEER)
              .withListener(rig.life.getRef())
              .withSupervision(ListenerRig.again(20));
      TestProbe<Event> answers = rig.system.kit.createTestProbe();
      try (PeerProcess peer = peer("listener", OF_PEER).awaitReady()) {
        var client = rig.client("client", options);
        client.tell(new Subscribe(answers.getRef(), 10));
        rig.send(rig.clients, client, "hello");
        assertThat(answers.receiveMessage()).isInstanceOf(Message.class);
        assertThat(rig.replies.receiveMessage()).isInstanceOf(Completed.class);
        peer.kill();
        rig.life.fishForMessage(ListenerRig.SOON, ListenerRig.until(Lost.class));
        try (PeerProcess second = peer("listener", OF_PEER).awaitReady()) {
          Connected back =
              (Connected)
                  rig.life
                      .fishForMessage(ListenerRig.SOON, ListenerRig.until(Connected.class))
                      .get(0);
          assertThat(back).isEqualTo(new Connected(client, 2));
          rig.send(rig.clients, client, "again");
          assertThat(rig.replies.receiveMessage()).isInstanceOf(Completed.class);
          second.kill();
        }
        rig.assertNothingLeft();
      }
    }
  }

  /** A client without a restart ends with its listener. */
  @Test
  void theClientOfAKilledListenerEnds() throws IOException {
    try (ListenerRig rig = ListenerRig.create();
        PeerProcess peer = peer("listener", OF_PEER).awaitReady()) {
      var client = rig.client("client", RdmaClientOptions.of(ListenerRig.HOST, OF_PEER));
      FreshSoftDpu.DEVICE.faults("rdma-send:delay=200ms");
      rig.send(rig.clients, client, "slow");
      peer.kill();
      assertThat(rig.replies.receiveMessage()).isInstanceOfAny(Failed.class, Completed.class);
      rig.endings.await(List.of(client));
      rig.assertNothingLeft();
    }
  }

  /** Each task on an event of the killed process has one answer, and the event can be closed. */
  @Test
  void theOwnerOfAnEventIsKilled() throws IOException {
    try (ListenerRig rig = ListenerRig.create();
        PeerProcess peer = peer("event", OF_PEER).awaitReady()) {
      var client = rig.client("client", RdmaClientOptions.of(ListenerRig.HOST, OF_PEER));
      TestProbe<Event> answers = rig.system.kit.createTestProbe();
      client.tell(new Subscribe(answers.getRef(), 1));
      rig.send(rig.clients, client, "hello");
      byte[] description = ((Message) answers.receiveMessage()).bytes();
      assertThat(rig.replies.receiveMessage()).isInstanceOf(Completed.class);
      TestProbe<OpenReply> opened = rig.system.kit.createTestProbe();
      rig.there.tell(new OpenRemoteEvent(description, opened.getRef()));
      RemoteEvent event = ((RemoteEventOpened) opened.receiveMessage()).event();
      client.tell(new AddToEvent(event, 5, 1, rig.replies.getRef()));
      assertThat(rig.replies.receiveMessage()).isEqualTo(new EventValue(1, 0));
      FreshSoftDpu.DEVICE.faults("rdma-event-notify-add:delay=200ms");
      for (int tag = 2; tag <= 20; tag++) {
        client.tell(new AddToEvent(event, 1, tag, rig.replies.getRef()));
      }
      peer.kill();
      assertThat(rig.replies.receiveSeveralMessages(19))
          .allMatch(reply -> reply instanceof Failed || reply instanceof EventValue)
          .extracting(Reply::tag)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(2, 20).boxed().toList());
      rig.endings.await(List.of(client));
      TestProbe<RemoteEventClosed> closed = rig.system.kit.createTestProbe();
      rig.there.tell(new CloseRemoteEvent(event, closed.getRef()));
      assertThat(closed.receiveMessage().failure()).isEmpty();
      rig.there.tell(new OpenRemoteEvent(description, opened.getRef()));
      assertThat(opened.receiveMessage()).isInstanceOf(RemoteEventRefused.class);
      rig.assertNothingLeft();
    }
  }

  private static PeerProcess peer(String side, int port) throws IOException {
    return PeerProcess.start(ListenerPeer.class, Map.of(), side, Integer.toString(port));
  }
}
