package io.dpuactors.apps.simulation;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.simulation.SimulatedSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * One run: up to three servers on one engine, and up to four clients on the other one. Each client
 * has one result when nothing happens any more. Then the servers stop, and return their memory.
 */
final class ServicesProgram {
  private static final List<String> STATES = List.of("connecting", "busy", "idle");
  private static final List<String> LOG =
      List.of(
          "closing the connection of a data client",
          "closing the connection of a compress client",
          "closing the connection of a DMA client",
          "closing the connection of a ping client",
          "pool not closed, the engine closes it when it stops");

  private static final int MAX_SERVERS = 3;
  private static final int MAX_CLIENTS = 4;

  private final SimulatedSystem system;
  private final ActorRef<EngineProtocol.Command> dpu;
  private final ActorRef<EngineProtocol.Command> host;
  private final List<SimulatedServer> servers = new ArrayList<>();
  private final List<SimulatedClient> clients = new ArrayList<>();

  ServicesProgram(SimulatedSystem system) {
    this.system = system;
    this.dpu = Devices.engine(system, "dpu");
    this.host = Devices.engineOnOtherHost(system, "host");
    int count = system.draw(1, MAX_SERVERS);
    for (int i = 0; i < count; i++) {
      servers.add(SimulatedServer.open(system, dpu, "server" + i));
    }
  }

  void run() {
    boolean isCalm = !system.disturb(STATES, this::state);
    system.expectLog("the server has no memory left for another client"); // in calm runs too
    if (!isCalm) {
      LOG.forEach(system::expectLog);
      servers.forEach(SimulatedServer::expectLostLeases);
    }
    int count = system.draw(1, MAX_CLIENTS);
    for (int i = 0; i < count; i++) {
      system.runFor(Duration.ofNanos(system.draw(0, system.oneOf(100_000, 20_000_000))));
      SimulatedServer server = servers.get(system.draw(0, servers.size() - 1));
      SimulatedClient client = new SimulatedClient(system, server, host, "client" + i);
      clients.add(client);
      system.spawn(client.behavior(), "program" + i);
    }
    system.settle();
    clients.forEach(client -> client.check(isCalm));
    int damaged = clients.stream().mapToInt(SimulatedClient::damaged).sum();
    if (damaged > system.faultCount("corrupted")) {
      throw new AssertionError(
          "%d damaged blocks, %d by faults".formatted(damaged, system.faultCount("corrupted")));
    }
    servers.forEach(SimulatedServer::stop);
  }

  private String state() {
    if (clients.stream().allMatch(SimulatedClient::hasEnded)) {
      return "idle";
    }
    return clients.stream().anyMatch(SimulatedClient::isConnecting) ? "connecting" : "busy";
  }
}
