package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.BatchSettings;
import io.dpuactors.file.FileBatch;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.PartialFiles;
import io.dpuactors.fleet.FleetNodeEvent.Ready;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts nodes and clients in this process, over TCP, and ends them after each test. The limits
 * only guard against a hang: each start and end of a member has several time limits of Pekko in a
 * row.
 */
@Timeout(400)
abstract class FleetFixture {
  static final int LIMIT_S = 100;
  static final int BLOCK = 64 << 10;

  @TempDir Path folder;

  final List<ActorSystem<?>> systems = new ArrayList<>();
  private final List<ActorSystem<?>> left = new ArrayList<>();
  final FleetTally tally = new FleetTally();

  @AfterEach
  void end() {
    Collections.reverse(systems); // the last member to leave is the oldest
    for (ActorSystem<?> system : systems) {
      leave(system);
    }
    for (ActorSystem<?> system : left) {
      assertEnds(system.getWhenTerminated(), system);
    }
  }

  /**
   * Lets a member leave. The actor system of that member may end only with the other members: see
   * {@link FleetNode#whenLeft}.
   */
  void leave(ActorSystem<?> system) {
    CompletionStage<Done> end = FleetNode.whenLeft(system);
    system.terminate();
    assertEnds(end, system);
    left.add(system);
  }

  static void assertEnds(CompletionStage<Done> end, ActorSystem<?> system) {
    assertThat(end.toCompletableFuture())
        .as(system.address().toString())
        .succeedsWithin(LIMIT_S, TimeUnit.SECONDS);
  }

  static Config config() {
    return ConfigFactory.load(
        ConfigFactory.parseString(
                """
                dpu.library = softdpu
                dpu.engine.stall-warning = 30s
                dpu.fleet.node.state-dir = ""
                pekko { loglevel = WARNING, stdout-loglevel = OFF, log-dead-letters = off }
                pekko { jvm-shutdown-hooks = off, coordinated-shutdown.run-by-jvm-shutdown-hook = off }
                """)
            .withFallback(FleetConfig.defaults()));
  }

  /** Starts a node, and returns its address when it takes work. */
  HostPort node(List<HostPort> seeds) throws InterruptedException {
    return node(config(), seeds);
  }

  HostPort node(Config base, List<HostPort> seeds) throws InterruptedException {
    return ready(begin(base, 0, seeds));
  }

  BlockingQueue<FleetNodeEvent> begin(Config base, int port, List<HostPort> seeds) {
    BlockingQueue<FleetNodeEvent> events = new LinkedBlockingQueue<>();
    systems.add(
        ActorSystem.create(
            FleetNode.create(List.of(), seeds, events::add),
            "dpu",
            FleetConfig.node(base, port, seeds)));
    return events;
  }

  /** Returns a free port that the system chooses for no other socket. */
  static HostPort freePort() {
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = 20_000 + new Random().nextInt(10_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return new HostPort("127.0.0.1", socket.getLocalPort());
      } catch (IOException e) {
        assertThat(attempt).as("no free port: %s", e).isLessThan(99);
      }
    }
    throw new AssertionError("no free port");
  }

  static HostPort ready(BlockingQueue<FleetNodeEvent> events) throws InterruptedException {
    FleetNodeEvent event = events.poll(LIMIT_S, TimeUnit.SECONDS);
    assertThat(event).isInstanceOf(Ready.class);
    return HostPort.parse(((Ready) event).address());
  }

  /** Runs jobs through the fleet, and returns all events of the batch but progress. */
  List<BatchEvent> run(List<HostPort> seeds, FileJob... jobs) throws InterruptedException {
    return run(config(), seeds, jobs);
  }

  List<BatchEvent> run(Config base, List<HostPort> seeds, FileJob... jobs)
      throws InterruptedException {
    return ended(begin(base, seeds, jobs));
  }

  /** Starts a client with jobs, and returns its events. */
  BlockingQueue<BatchEvent> begin(Config base, List<HostPort> seeds, FileJob... jobs) {
    BlockingQueue<BatchEvent> events = new LinkedBlockingQueue<>();
    BatchSettings settings =
        new BatchSettings(
            Optional.empty(), 1, 8, BatchSettings.DEFAULT_MEMORY_BYTES, List.of(jobs));
    Config config = FleetConfig.client(FleetConfig.withSeeds(base, seeds));
    systems.add(ActorSystem.create(guardian(settings, events), "dpu", config));
    return events;
  }

  /** Waits for the end of a batch, and returns its events but progress. */
  static List<BatchEvent> ended(BlockingQueue<BatchEvent> events) throws InterruptedException {
    List<BatchEvent> seen = new ArrayList<>();
    while (seen.isEmpty() || !(seen.get(seen.size() - 1) instanceof BatchEvent.Ended)) {
      BatchEvent event = events.poll(LIMIT_S, TimeUnit.SECONDS);
      assertThat(event).as("after %s", seen).isNotNull();
      if (!(event instanceof FileEvent.Progress)) {
        seen.add(event);
      }
    }
    return seen;
  }

  Behavior<Void> guardian(BatchSettings settings, BlockingQueue<BatchEvent> events) {
    return Behaviors.setup(
        context -> {
          ActorRef<BatchEvent> listener =
              context.spawn(
                  Behaviors.receiveMessage(
                      event -> {
                        events.add(event);
                        return Behaviors.same();
                      }),
                  "listener");
          context.spawn(
              FileBatch.create(
                  settings, FleetEngine.create(tally), PartialFiles.create(), listener),
              "batch",
              DispatcherSelector.blocking());
          return Behaviors.empty();
        });
  }

  Path file(String name, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    Random random = new Random(bytes);
    for (int i = 0; i < bytes; i++) {
      content[i] = (byte) "etaoin shrdlu\n".charAt(random.nextInt(14));
    }
    return Files.write(folder.resolve(name), content);
  }

  ActorSystem<FleetMonitor.Command> monitor(
      BlockingQueue<FleetMonitor.Event> events, List<HostPort> seeds) {
    return monitor(config(), events, seeds);
  }

  ActorSystem<FleetMonitor.Command> monitor(
      Config base, BlockingQueue<FleetMonitor.Event> events, List<HostPort> seeds) {
    Config config = FleetConfig.client(FleetConfig.withSeeds(base, seeds));
    ActorSystem<FleetMonitor.Command> monitor =
        ActorSystem.create(FleetMonitor.create(Duration.ofMillis(100), events::add), "dpu", config);
    systems.add(monitor);
    return monitor;
  }

  static List<FleetMonitor.NodeView> awaitNodes(
      BlockingQueue<FleetMonitor.Event> events, Predicate<List<FleetMonitor.NodeView>> wanted)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    List<FleetMonitor.NodeView> nodes;
    do {
      nodes = await(events, FleetMonitor.Nodes.class).nodes();
      assertThat(System.nanoTime() - deadline).as("last: %s", nodes).isNegative();
    } while (!wanted.test(nodes));
    return nodes;
  }

  static <T> T await(BlockingQueue<FleetMonitor.Event> events, Class<T> type)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    for (; ; ) {
      FleetMonitor.Event event = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      assertThat(event).as("no %s in time", type).isNotNull();
      if (type.isInstance(event)) {
        return type.cast(event);
      }
    }
  }

  static Config with(String key, Object value) {
    return with(config(), key, value);
  }

  static Config with(Config base, String key, Object value) {
    return base.withValue(key, ConfigValueFactory.fromAnyRef(value.toString()));
  }

  Optional<String> compress(Config base, HostPort node, Path in, String out) throws Exception {
    return compress(base, List.of(node), in, out);
  }

  /** Compresses a file on a client, ends it, and returns the message of the batch's failure. */
  Optional<String> compress(Config base, List<HostPort> nodes, Path in, String out)
      throws Exception {
    List<BatchEvent> events =
        run(
            base,
            nodes,
            new FileJob.Compress(in, folder.resolve(out), BLOCK, /* verify= */ false, false));
    leave(systems.remove(systems.size() - 1));
    return ((BatchEvent.Ended) events.get(events.size() - 1))
        .failure()
        .map(failure -> failure.message());
  }

  static void findsNoNode(String message) {
    assertThat(message).contains("no node of the fleet at").contains("can compress");
  }
}
