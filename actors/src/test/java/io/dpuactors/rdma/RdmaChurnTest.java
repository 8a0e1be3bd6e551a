package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol.Command;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.OpenReply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Opened;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.Descriptors;
import io.dpuactors.testing.ExporterProcess;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.PeerProcess;
import io.dpuactors.testing.RunningSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that many connections, and peers that are killed, leave nothing in the process. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaChurnTest {
  /** Connections of each end. The long form has 5,000 of each, 20,000 in all. */
  private static final int CONNECTIONS = Integer.getInteger("rdma.churn", 40);

  /** Killed processes. The long form has 2,000. */
  private static final int KILLS = Integer.getInteger("rdma.kills", 2);

  private static final int WARM_UP = 10;
  private static final int LONG = 1_000;

  /** The JVM and Pekko start some threads late. */
  private static final int MORE_THREADS = 16;

  private static final long MORE_HEAP_KIB = 8 << 10;
  private static final long MORE_MEMORY_KIB = 64 << 10;

  /** How a connection ends. */
  private enum End {
    CLIENT_STOPS,
    CLIENT_IS_KILLED,
    SERVER_STOPS,
    SERVER_IS_KILLED;

    /** Ends one side of a connection. */
    void apply(ActorRef<Command> client, ActorRef<Command> served) {
      switch (this) {
        case CLIENT_STOPS -> client.tell(new Stop());
        case CLIENT_IS_KILLED -> kill(client);
        case SERVER_STOPS -> served.tell(new Stop());
        case SERVER_IS_KILLED -> kill(served);
      }
    }

    private static void kill(ActorRef<?> actor) {
      Adapter.toClassic(actor)
          .tell(PoisonPill.getInstance(), org.apache.pekko.actor.ActorRef.noSender());
    }
  }

  /** What this process holds. */
  private record Held(
      Map<String, Long> objects,
      List<String> descriptors,
      long threads,
      long heapKib,
      long memoryKib) {
    static Held now() throws IOException {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      return new Held(
          FreshSoftDpu.DEVICE.census(),
          Descriptors.targets(),
          countThreads(),
          (runtime.totalMemory() - runtime.freeMemory()) >> 10,
          ExporterProcess.ownKib(ProcessHandle.current().pid()));
    }

    /** Returns the number of threads, also of native ones. */
    private static long countThreads() throws IOException {
      try (Stream<Path> all = Files.list(Path.of("/proc/self/task"))) {
        return all.count();
      }
    }

    /** Waits until this process holds no more than before. Native objects end a bit later. */
    static void awaitNoMoreThan(Held before, int connections) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(40))
          .pollInterval(Duration.ofMillis(100))
          .untilAsserted(
              () -> {
                Held now = now();
                assertThat(now.objects)
                    .allSatisfy(
                        (name, count) ->
                            assertThat(count)
                                .as(name)
                                .isLessThanOrEqualTo(before.objects.getOrDefault(name, 0L)));
                assertThat(now.descriptors)
                    .as("%s", before.descriptors)
                    .hasSizeLessThanOrEqualTo(before.descriptors.size());
                assertThat(now.threads)
                    .as("threads")
                    .isLessThanOrEqualTo(before.threads + MORE_THREADS);
                assertThat(now.heapKib).isLessThanOrEqualTo(before.heapKib + MORE_HEAP_KIB);
                if (connections >= LONG) { // the memory of a short run depends on the collector
                  assertThat(now.memoryKib).isLessThanOrEqualTo(before.memoryKib + MORE_MEMORY_KIB);
                }
              });
    }
  }

  /** A listening context on one engine, and a context for clients on another. */
  private static final class Rig implements AutoCloseable {
    private final RunningSystem system = RunningSystem.create();
    private final ActorRef<EngineProtocol.Command> clients = system.spawnEngine("two");
    private final TestProbe<ActorRef<Command>> served = system.kit.createTestProbe();
    private final TestProbe<OpenReply> opened = system.kit.createTestProbe();
    private final TestProbe<Event> events = system.kit.createTestProbe();
    private final TestProbe<Reply> replies = system.kit.createTestProbe();
    private final ActorRef<RdmaProtocol.Command> there = context(clients, "there", "81:00.0");

    /** On the device of the context, which is the first of its engine. */
    private final Buffer hello =
        RunningSystem.buffer(
            ComchPair.pool(system, clients, 1, 64), "hello".getBytes(StandardCharsets.UTF_8));

    private int connections;

    Rig() {
      TestProbe<RdmaListenerProtocol.OpenReply> listening = system.kit.createTestProbe();
      context(system.engine, "here", "03:00.0")
          .tell(new OpenRdmaListener("listener", ListenerRig.PORT, behavior(), listening.getRef()));
      listening.expectMessageClass(RdmaListenerProtocol.Opened.class);
    }

    private ActorRef<RdmaProtocol.Command> context(
        ActorRef<EngineProtocol.Command> engine, String name, String device) {
      TestProbe<RdmaProtocol.OpenReply> probe = system.kit.createTestProbe();
      engine.tell(new OpenRdma(name, RdmaOptions.defaults().onDevice(device), probe.getRef()));
      return ((RdmaProtocol.Opened) probe.receiveMessage()).context();
    }

    /** Returns a behavior that reports its connection and its messages. */
    private PeerBehavior behavior() {
      return connection ->
          Behaviors.setup(
              context -> {
                served.getRef().tell(connection);
                return Behaviors.receiveMessage(
                    event -> {
                      if (event instanceof Message) {
                        events.getRef().tell(event);
                      }
                      return Behaviors.same();
                    });
              });
    }

    /** Connects, sends a message and ends the connection. Both sides end. */
    void connect(End end) {
      RdmaClientOptions options = RdmaClientOptions.of(ListenerRig.HOST, ListenerRig.PORT);
      there.tell(new OpenRdmaClient("client" + connections++, options, opened.getRef()));
      ActorRef<Command> client = ((Opened) opened.receiveMessage()).context();
      ActorRef<Command> server = served.receiveMessage();
      client.tell(new Send(hello, 1, replies.getRef()));
      assertThat(replies.receiveMessage()).isInstanceOf(Completed.class);
      events.receiveMessage();
      end.apply(client, server);
      opened.expectTerminated(client);
      served.expectTerminated(server);
    }

    /** Lets another process connect, and kills it. */
    void kill() throws IOException {
      String port = Integer.toString(ListenerRig.PORT);
      try (PeerProcess peer = PeerProcess.start(ListenerPeer.class, Map.of(), "client", port)) {
        peer.awaitReady();
        ActorRef<Command> server = served.receiveMessage();
        peer.kill();
        served.expectTerminated(server);
      }
    }

    /** Stops both engines, whose census is empty. */
    void stop() {
      hello.release();
      for (ActorRef<EngineProtocol.Command> engine : List.of(clients, system.engine)) {
        TestProbe<Stopped> stopped = system.kit.createTestProbe();
        engine.tell(new Stop(stopped.getRef()));
        assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
      }
    }

    @Override
    public void close() {
      system.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 2, unit = TimeUnit.HOURS) // each wait has a limit
  void connectionsLeaveNothing(End end) throws IOException {
    try (Rig rig = new Rig()) {
      for (int i = 0; i < WARM_UP; i++) {
        rig.connect(end);
      }
      Held before = Held.now();
      for (int i = 0; i < CONNECTIONS; i++) {
        rig.connect(end);
      }
      Held.awaitNoMoreThan(before, CONNECTIONS);
      rig.stop();
    }
  }

  @Test
  @Timeout(value = 4, unit = TimeUnit.HOURS) // each wait has a limit
  void killedPeersLeaveNothing() throws IOException {
    try (Rig rig = new Rig()) {
      rig.kill();
      Held before = Held.now();
      for (int i = 0; i < KILLS; i++) {
        rig.kill();
      }
      Held.awaitNoMoreThan(before, KILLS);
      rig.stop();
    }
  }
}
