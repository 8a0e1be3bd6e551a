package io.dpuactors.rdma;

import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.testing.PeerProcess;
import io.dpuactors.testing.RunningSystem;
import java.util.OptionalInt;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A peer process that acts until it is killed. */
final class ListenerPeer {
  private ListenerPeer() {}

  /** Runs a peer. Arguments: side ({@code client}, {@code listener}) and port. */
  public static void main(String[] args) throws InterruptedException {
    RunningSystem system = RunningSystem.create();
    TestProbe<RdmaProtocol.OpenReply> opened = system.kit.createTestProbe();
    system.engine.tell(new OpenRdma("rdma", RdmaOptions.defaults(), opened.getRef()));
    ActorRef<RdmaProtocol.Command> context =
        ((RdmaProtocol.Opened) opened.receiveMessage()).context();
    int port = Integer.parseInt(args[1]);
    PeerBehavior echo = echo(system.kit.<Reply>createTestProbe().getRef());
    if (args[0].equals("client")) {
      TestProbe<RdmaConnectionProtocol.OpenReply> connected = system.kit.createTestProbe();
      RdmaClientOptions options = RdmaClientOptions.of(ListenerRig.HOST, port).withBehavior(echo);
      context.tell(new OpenRdmaClient("client", options, connected.getRef()));
      connected.expectMessageClass(RdmaConnectionProtocol.Opened.class);
    } else {
      TestProbe<RdmaListenerProtocol.OpenReply> listening = system.kit.createTestProbe();
      context.tell(new OpenRdmaListener("listener", port, echo, listening.getRef()));
      listening.expectMessageClass(RdmaListenerProtocol.Opened.class);
    }
    PeerProcess.reportReady();
    Thread.sleep(Long.MAX_VALUE);
  }

  /** Answers each message with an empty one. */
  private static PeerBehavior echo(ActorRef<Reply> replies) {
    return connection ->
        Behaviors.receiveMessage(
            event -> {
              if (event instanceof Message) {
                connection.tell(new Send(null, OptionalInt.empty(), 1, replies));
              }
              return Behaviors.same();
            });
  }
}
