package io.dpuactors.comch;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.ServerProtocol.Connections;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.Footprint;
import io.dpuactors.testing.RunningSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Runs many clients of one ping server. The class is also a program, for runs that are too long for
 * a test:
 *
 * <pre>
 *   serve NAME                          prints one line of figures per input line; an empty line stops it
 *   ping NAME CONNECTIONS COUNT WINDOW  pings on CONNECTIONS connections at the same time
 *   cycle NAME COUNT                    connects and disconnects
 * </pre>
 */
final class Load {
  private Load() {}

  public static void main(String[] args) throws IOException {
    try (RunningSystem system = RunningSystem.create()) {
      switch (args[0]) {
        case "serve" -> serve(system, args[1]);
        case "ping" ->
            System.out.println(
                faults(
                    ping(
                        system,
                        args[1],
                        Integer.parseInt(args[2]),
                        Integer.parseInt(args[3]),
                        Integer.parseInt(args[4]))));
        default -> {
          cycle(system, args[1], Integer.parseInt(args[2]));
          System.out.println(args[2] + " cycles " + Footprint.now());
        }
      }
      System.out.println("census " + system.stopEngine().census());
    }
  }

  private static void serve(RunningSystem system, String service) throws IOException {
    ActorRef<ServerProtocol.Command> server =
        ComchPair.server(system, ServerOptions.of(service, Pings::answer));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    String line;
    while ((line = in.readLine()) != null && !line.isEmpty()) {
      Connections connections = connections(system, server);
      System.out.printf(
          "%s: %d accepted, %d refused, %d open, %s%n",
          line,
          connections.accepted(),
          connections.refused(),
          connections.open().size(),
          Footprint.now());
    }
  }

  /** Returns the connections of a server. */
  static Connections connections(RunningSystem system, ActorRef<ServerProtocol.Command> server) {
    TestProbe<Connections> probe = system.kit.createTestProbe();
    server.tell(new ServerProtocol.GetConnections(probe.getRef()));
    return probe.receiveMessage();
  }

  /**
   * Pings on several connections at the same time, each with at most {@code window} unanswered
   * pings.
   */
  static List<Pings.Outcome> ping(
      RunningSystem system, String service, int connections, int count, int window) {
    TestProbe<Pings.Outcome> outcomes = system.kit.createTestProbe();
    List<ActorRef<ConnectionProtocol.Command>> clients =
        IntStream.range(0, connections)
            .mapToObj(
                i ->
                    ComchPair.client(
                        system,
                        system.engine,
                        "client-" + i,
                        ClientOptions.of(service)
                            .withBehavior(Pings.of(count, window, outcomes.getRef()))))
            .toList();
    List<Pings.Outcome> all = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      all.add(outcomes.receiveMessage(Duration.ofMinutes(10)));
    }
    clients.forEach(outcomes::expectTerminated);
    return all;
  }

  private static String faults(List<Pings.Outcome> outcomes) {
    int answered = outcomes.stream().mapToInt(Pings.Outcome::answered).sum();
    List<String> faults =
        outcomes.stream().map(Pings.Outcome::fault).filter(fault -> !fault.isEmpty()).toList();
    return answered + " pings answered in order on " + outcomes.size() + " connections; " + faults;
  }

  /** Connects and disconnects {@code count} times. */
  static void cycle(RunningSystem system, String service, int count) {
    TestProbe<ConnectionProtocol.OpenReply> probe = system.kit.createTestProbe();
    for (int i = 0; i < count; i++) {
      system.engine.tell(new OpenComchClient("cycle", ClientOptions.of(service), probe.getRef()));
      ActorRef<ConnectionProtocol.Command> client =
          ((ConnectionProtocol.Opened) probe.receiveMessage()).context();
      client.tell(new Stop());
      probe.expectTerminated(client);
    }
  }
}
