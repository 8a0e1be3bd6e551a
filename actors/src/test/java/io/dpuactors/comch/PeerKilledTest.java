package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.comch.ServerRig.Served;
import io.dpuactors.protocol.ClientEvent.Connected;
import io.dpuactors.protocol.ClientEvent.Lost;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.ConnectionProtocol.ConsumerThere;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.PeerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the end of a connection whose peer process is killed. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class PeerKilledTest {
  /** The fault plan delays the third piece of a payload beyond the life of the process. */
  private static final Map<String, String> HALF =
      Map.of("SOFTDPU_FAULTS", "comch-send:delay=100s:nth=3");

  @ParameterizedTest
  @ValueSource(strings = {"silent", "half", "idle", "data"})
  void aClientIsKilled(String what) throws IOException, InterruptedException {
    try (ServerRig rig = ServerRig.create("");
        PeerProcess peer =
            PeerProcess.start(
                Peer.class,
                what.equals("half") ? HALF : Map.of(),
                "client",
                ServerRig.SERVICE,
                peerOf(what))) {
      Served served = rig.accepted();
      peer.awaitReady();
      List<ActorRef<?>> ends = new ArrayList<>(List.of(served.connection(), served.behavior()));
      if (what.equals("data")) {
        ServerRig.Data data =
            rig.transfer(
                rig.system.engine, served.connection(), consumerOf(rig, served.connection()));
        ends.addAll(List.of(data.consumer(), data.producer()));
      } else if (what.equals("idle")) {
        ends.addAll(idle(rig, rig.system.engine, served.connection()));
      }
      rig.send(served.connection(), "late");
      peer.kill();
      rig.endings.await(ends);
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"silent", "half", "idle", "data"})
  void aServerIsKilled(String what) throws IOException, InterruptedException {
    String service = "test-killed";
    try (ServerRig rig = ServerRig.create("");
        PeerProcess peer =
            PeerProcess.start(
                    Peer.class,
                    what.equals("half") ? HALF : Map.of(),
                    "server",
                    service,
                    peerOf(what))
                .awaitReady()) {
      ActorRef<ConnectionProtocol.Command> client =
          rig.client("subject", ClientOptions.of(service).withConnection(ServerRig.options()));
      assertThat(rig.nextEvent()).isEqualTo(new Connected(client, 1));
      List<ActorRef<?>> ends = new ArrayList<>(List.of(client));
      if (what.equals("data")) {
        ServerRig.Data data = rig.transfer(rig.clients, client, consumerOf(rig, client));
        ends.addAll(List.of(data.consumer(), data.producer()));
      } else if (what.equals("idle")) {
        ends.addAll(idle(rig, rig.clients, client));
      }
      rig.receive(client);
      peer.kill();
      rig.assertEnd(ends);
      assertThat(((Lost) rig.nextEvent()).error().code()).isEqualTo(DocaCode.CONNECTION_RESET);
      rig.assertAlive(rig.bystander);
      rig.assertNothingLeft();
    }
  }

  @Test
  void aClientReconnectsWhenItsServerRestarts() throws IOException, InterruptedException {
    String service = "test-back";
    try (ServerRig rig = ServerRig.create("")) {
      ActorRef<ConnectionProtocol.Command> client;
      try (PeerProcess first =
          PeerProcess.start(Peer.class, Map.of(), "server", service, "silent").awaitReady()) {
        client =
            rig.client(
                "subject",
                ClientOptions.of(service)
                    .withConnection(ServerRig.options())
                    .withSupervision(
                        SupervisorStrategy.restartWithBackoff(
                                Duration.ofMillis(20), Duration.ofMillis(100), 0.2)
                            .withLoggingEnabled(false)));
        assertThat(rig.nextEvent()).isEqualTo(new Connected(client, 1));
        first.kill();
      }
      assertThat(((Lost) rig.nextEvent()).error().code()).isEqualTo(DocaCode.CONNECTION_RESET);
      assertThat(((Lost) rig.nextEvent()).error().code()).isEqualTo(DocaCode.CONNECTION_ABORTED);
      rig.send(client, "for the next server");
      try (PeerProcess second =
          PeerProcess.start(Peer.class, Map.of(), "server", service, "silent").awaitReady()) {
        assertThat(rig.awaitEvent(Connected.class)).isEqualTo(new Connected(client, 2));
        rig.ledger.settle();
        client.tell(new Stop());
        rig.assertEnd(List.of(client));
        second.kill();
      }
      rig.assertNothingLeft();
    }
  }

  /** Returns the action of the peer. For "idle" the peer opens a consumer and a producer too. */
  private static String peerOf(String what) {
    return what.equals("idle") ? "data" : what;
  }

  /** Returns a consumer and a producer without requests. */
  private static List<ActorRef<?>> idle(
      ServerRig rig,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ConnectionProtocol.Command> connection) {
    BufferPool pool = ComchPair.pool(rig.system, engine, 8, 4096);
    return List.of(rig.consumer(connection, "in", pool), rig.producer(connection, "out"));
  }

  private static int consumerOf(ServerRig rig, ActorRef<ConnectionProtocol.Command> connection) {
    TestProbe<AwaitReply> there = rig.system.kit.createTestProbe();
    connection.tell(new AwaitConsumer(ServerRig.SOON, there.getRef()));
    return ((ConsumerThere) there.receiveMessage()).consumer();
  }
}
