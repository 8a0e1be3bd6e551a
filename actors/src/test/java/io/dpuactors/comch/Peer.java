package io.dpuactors.comch;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.PeerProcess;
import io.dpuactors.testing.RunningSystem;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A peer process that acts until it is killed. */
final class Peer {
  private Peer() {}

  /**
   * Runs a peer. Arguments: side, service, and action ({@code silent}, {@code half} a payload,
   * {@code data}, {@code flood}).
   */
  public static void main(String[] args) throws InterruptedException {
    RunningSystem system = RunningSystem.create();
    if (args[2].equals("flood")) {
      flood(system, args[1]);
    } else if (args[0].equals("client")) {
      client(system, args[1], args[2]);
    } else {
      server(system, args[1], args[2]);
    }
    PeerProcess.reportReady();
    Thread.sleep(Long.MAX_VALUE);
  }

  /** Sends pings without an end. */
  private static void flood(RunningSystem system, String service) {
    TestProbe<Pings.Outcome> outcome = system.kit.createTestProbe();
    ComchPair.client(
        system,
        system.engine,
        "client",
        ClientOptions.of(service).withBehavior(Pings.of(Integer.MAX_VALUE, 8, outcome.getRef())));
  }

  private static void client(RunningSystem system, String service, String what) {
    ActorRef<ConnectionProtocol.Command> client =
        ComchPair.client(
            system,
            system.engine,
            "client",
            ClientOptions.of(service).withConnection(ServerRig.options()));
    act(system, client, what);
  }

  private static void server(RunningSystem system, String service, String what) {
    ComchPair.server(
        system,
        ServerOptions.of(service, connection -> acting(system, connection, what))
            .withConnections(ServerRig.options()));
  }

  private static Behavior<ConnectionEvent> acting(
      RunningSystem system, ActorRef<ConnectionProtocol.Command> connection, String what) {
    if (what.equals("silent")) {
      return Behaviors.ignore();
    }
    // Unlike a test, a behavior must not wait for its own engine.
    Thread actor = new Thread(() -> act(system, connection, what));
    actor.setDaemon(true);
    actor.start();
    return Behaviors.ignore();
  }

  private static void act(
      RunningSystem system, ActorRef<ConnectionProtocol.Command> connection, String what) {
    ActorRef<EngineProtocol.Command> engine = system.engine;
    TestProbe<ConsumerProtocol.OpenReply> opened = system.kit.createTestProbe();
    switch (what) {
      case "half" -> connection.tell(Send.orFail(new byte[200_000]));
      case "data" ->
          connection.tell(
              new OpenConsumer(
                  "idle",
                  DataOptions.into(ComchPair.pool(system, engine, 1, 64)),
                  opened.getRef()));
      default -> {}
    }
  }
}
