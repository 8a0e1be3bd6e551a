package io.dpuactors.benchmarks.program;

import io.dpuactors.benchmarks.load.Asking;
import io.dpuactors.benchmarks.load.LoadSystem;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaListenerProtocol.Connections;
import io.dpuactors.protocol.RdmaListenerProtocol.GetConnections;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import java.util.function.IntSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Opens RDMA connections that do nothing. */
final class RdmaConnections {
  private static final String HOST = "127.0.0.1";
  private static final int PORT = 4791;
  private static final int MOST_CONNECTIONS = 65_535;

  private RdmaConnections() {}

  private static ActorRef<RdmaProtocol.Command> context(LoadSystem system) {
    RdmaOptions options = RdmaOptions.defaults().withMaxConnections(MOST_CONNECTIONS);
    return system.<RdmaProtocol.Command, RdmaProtocol.OpenReply>open(
        0, me -> new OpenRdma("rdma", options, me));
  }

  /**
   * Opens a listener.
   *
   * @return the number of its connections
   * @throws IllegalStateException if that fails, with the cause
   */
  static IntSupplier listen(LoadSystem system) {
    ActorRef<RdmaProtocol.Command> context = context(system);
    RdmaListenerProtocol.OpenReply reply =
        system.ask(
            context, me -> new OpenRdmaListener("listener", PORT, peer -> Behaviors.ignore(), me));
    ActorRef<RdmaListenerProtocol.Command> listener = Asking.opened(reply);
    return () ->
        system
            .<RdmaListenerProtocol.Command, Connections>ask(listener, GetConnections::new)
            .open()
            .size();
  }

  /** Connects clients, one after the other. Returns their number, as many as the system allows. */
  static int connect(LoadSystem system, int wanted) {
    ActorRef<RdmaProtocol.Command> context = context(system);
    int connected = 0;
    while (connected < wanted && isConnected(system, context, "client-" + connected)) {
      connected++;
    }
    return connected;
  }

  private static boolean isConnected(
      LoadSystem system, ActorRef<RdmaProtocol.Command> context, String name) {
    RdmaConnectionProtocol.OpenReply reply =
        system.ask(context, me -> new OpenRdmaClient(name, RdmaClientOptions.of(HOST, PORT), me));
    return reply instanceof Opened;
  }
}
