package io.dpuactors.rdma;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.EngineProtocol.OpenSyncEvent;
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
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.testing.PeerProcess;
import io.dpuactors.testing.RunningSystem;
import java.util.OptionalInt;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** A peer process that acts until it is killed. */
final class ListenerPeer {
  private ListenerPeer() {}

  /**
   * Runs a peer. Arguments: side ({@code client}, {@code listener}, {@code event}: a listener that
   * answers with the description of an event) and port.
   */
  public static void main(String[] args) throws InterruptedException {
    RunningSystem system = RunningSystem.create();
    TestProbe<RdmaProtocol.OpenReply> opened = system.kit.createTestProbe();
    RdmaOptions options = RdmaOptions.defaults().withPermissions(RdmaPair.ALL);
    system.engine.tell(new OpenRdma("rdma", options, opened.getRef()));
    ActorRef<RdmaProtocol.Command> context =
        ((RdmaProtocol.Opened) opened.receiveMessage()).context();
    int port = Integer.parseInt(args[1]);
    Buffer answer = args[0].equals("event") ? event(system) : null;
    PeerBehavior echo = echo(answer, system.kit.<Reply>createTestProbe().getRef());
    if (args[0].equals("client")) {
      TestProbe<RdmaConnectionProtocol.OpenReply> connected = system.kit.createTestProbe();
      RdmaClientOptions client = RdmaClientOptions.of(ListenerRig.HOST, port).withBehavior(echo);
      context.tell(new OpenRdmaClient("client", client, connected.getRef()));
      connected.expectMessageClass(RdmaConnectionProtocol.Opened.class);
    } else {
      TestProbe<RdmaListenerProtocol.OpenReply> listening = system.kit.createTestProbe();
      context.tell(new OpenRdmaListener("listener", port, echo, listening.getRef()));
      listening.expectMessageClass(RdmaListenerProtocol.Opened.class);
    }
    PeerProcess.reportReady();
    Thread.sleep(Long.MAX_VALUE);
  }

  /** Returns the description of a new event. */
  private static Buffer event(RunningSystem system) {
    TestProbe<SyncEventProtocol.OpenReply> opened = system.kit.createTestProbe();
    SyncEventOptions options = SyncEventOptions.defaults().publishedByRdmaPeer();
    system.engine.tell(new OpenSyncEvent("event", options, opened.getRef()));
    TestProbe<SyncEventProtocol.ExportReply> shared = system.kit.createTestProbe();
    ((SyncEventProtocol.Opened) opened.receiveMessage())
        .context()
        .tell(new SyncEventProtocol.Share(shared.getRef()));
    byte[] description = ((SyncEventProtocol.Exported) shared.receiveMessage()).description();
    return RunningSystem.buffer(system.pool(1, description.length), description);
  }

  /** Answers each message with these bytes, or with an empty message. */
  private static PeerBehavior echo(@Nullable Buffer answer, ActorRef<Reply> replies) {
    return connection ->
        Behaviors.receiveMessage(
            event -> {
              if (event instanceof Message) {
                connection.tell(new Send(answer, OptionalInt.empty(), 1, replies));
              }
              return Behaviors.same();
            });
  }
}
