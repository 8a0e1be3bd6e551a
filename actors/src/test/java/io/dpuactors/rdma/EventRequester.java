package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.protocol.RdmaEventProtocol.AddToEvent;
import io.dpuactors.protocol.RdmaEventProtocol.EventValue;
import io.dpuactors.protocol.RdmaEventProtocol.GetEvent;
import io.dpuactors.protocol.RdmaEventProtocol.OpenRemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.OpenReply;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEvent;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventOpened;
import io.dpuactors.protocol.RdmaEventProtocol.SetEvent;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.testing.PeerProcess;
import io.dpuactors.testing.RunningSystem;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/** A process that changes the event of a {@link ListenerPeer}, and then reports. */
final class EventRequester {
  private EventRequester() {}

  /** Runs the process. Argument: port of the listener. */
  public static void main(String[] args) {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<RdmaProtocol.Command> context = context(system);
      TestProbe<RdmaConnectionProtocol.OpenReply> connected = system.kit.createTestProbe();
      var options = RdmaClientOptions.of(ListenerRig.HOST, Integer.parseInt(args[0]));
      context.tell(new OpenRdmaClient("client", options, connected.getRef()));
      var client = connected.expectMessageClass(RdmaConnectionProtocol.Opened.class).context();
      TestProbe<OpenReply> opened = system.kit.createTestProbe();
      context.tell(new OpenRemoteEvent(description(system, client), opened.getRef()));
      change(system, client, ((RemoteEventOpened) opened.receiveMessage()).event());
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
    PeerProcess.reportReady();
  }

  private static ActorRef<RdmaProtocol.Command> context(RunningSystem system) {
    TestProbe<RdmaProtocol.OpenReply> opened = system.kit.createTestProbe();
    system.engine.tell(new OpenRdma("rdma", RdmaOptions.defaults(), opened.getRef()));
    return ((RdmaProtocol.Opened) opened.receiveMessage()).context();
  }

  /** Returns the listener's answer to a message. */
  private static byte[] description(
      RunningSystem system, ActorRef<RdmaConnectionProtocol.Command> client) {
    TestProbe<Event> answers = system.kit.createTestProbe();
    TestProbe<Reply> replies = system.kit.createTestProbe();
    Buffer hello = RunningSystem.buffer(system.pool(1, 8), new byte[] {1});
    client.tell(new Subscribe(answers.getRef(), 1));
    client.tell(new Send(hello, 1, replies.getRef()));
    byte[] description = ((Message) answers.receiveMessage()).bytes();
    assertThat(replies.receiveMessage()).isEqualTo(new Completed(1, hello, null));
    hello.release();
    return description;
  }

  private static void change(
      RunningSystem system, ActorRef<RdmaConnectionProtocol.Command> client, RemoteEvent event) {
    TestProbe<Reply> replies = system.kit.createTestProbe();
    client.tell(new AddToEvent(event, 5, 1, replies.getRef()));
    client.tell(new SetEvent(event, 9, 2, replies.getRef()));
    client.tell(new GetEvent(event, 3, replies.getRef()));
    assertThat(replies.receiveSeveralMessages(3))
        .containsExactly(new EventValue(1, 0), new Completed(2, null, null), new EventValue(3, 9));
  }
}
