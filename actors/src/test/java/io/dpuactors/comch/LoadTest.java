package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.Footprint;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.PeerProcess;
import io.dpuactors.testing.RunningSystem;
import java.io.IOException;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests many clients, and many connects in succession. {@link Load} runs the same for longer. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class LoadTest {
  private static final String SERVICE = "test-load";

  @Test
  void nothingIsLostDoubledOrReorderedWhileOthersAreKilled() throws IOException {
    try (RunningSystem servers = RunningSystem.create();
        RunningSystem clients = RunningSystem.create();
        PeerProcess one = PeerProcess.start(Peer.class, Map.of(), "client", SERVICE, "flood");
        PeerProcess other = PeerProcess.start(Peer.class, Map.of(), "client", SERVICE, "flood")) {
      ActorRef<ServerProtocol.Command> server =
          ComchPair.server(servers, ServerOptions.of(SERVICE, Pings::answer));
      one.awaitReady();
      other.awaitReady();
      Thread killer =
          new Thread(
              () -> {
                one.kill();
                other.kill();
              });
      killer.start();
      assertThat(Load.ping(clients, SERVICE, 16, 300, 8))
          .hasSize(16)
          .allMatch(outcome -> outcome.equals(new Pings.Outcome(300, "")));
      Awaitility.await()
          .atMost(ServerRig.SOON)
          .until(() -> Load.connections(servers, server).open().isEmpty());
      assertThat(Load.connections(servers, server).accepted()).isEqualTo(18);
      assertThat(clients.stopEngine().census()).isEqualTo("empty");
      assertThat(servers.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void connectingAgainAndAgainLeavesNothing() throws IOException {
    try (RunningSystem servers = RunningSystem.create();
        RunningSystem clients = RunningSystem.create()) {
      ActorRef<ServerProtocol.Command> server =
          ComchPair.server(servers, ServerOptions.of(SERVICE, Pings::answer));
      Load.cycle(clients, SERVICE, 50);
      Footprint before = settled(servers, server);
      Load.cycle(clients, SERVICE, 300);
      Footprint after = settled(servers, server);
      // The count covers the whole process: the JVM may open a few descriptors. A leak would be
      // hundreds.
      assertThat(after.descriptors()).isLessThan(before.descriptors() + 10);
      assertThat(after.segments()).isLessThanOrEqualTo(before.segments());
      assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 4);
      assertThat(clients.stopEngine().census()).isEqualTo("empty");
      assertThat(servers.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static Footprint settled(RunningSystem servers, ActorRef<ServerProtocol.Command> server)
      throws IOException {
    Awaitility.await()
        .atMost(ServerRig.SOON)
        .until(() -> Load.connections(servers, server).open().isEmpty());
    return Footprint.now();
  }
}
