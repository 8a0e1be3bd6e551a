package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.BatchSettings;
import io.dpuactors.file.FileBatch;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.PartialFiles;
import io.dpuactors.fleet.FleetNode.Event;
import io.dpuactors.fleet.FleetNode.Ready;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests files that pass through nodes in this process, over TCP. */
class FleetTest {
  private static final int LIMIT_S = 50;
  private static final int BLOCK = 64 << 10;

  @TempDir Path folder;

  private final List<ActorSystem<?>> systems = new ArrayList<>();
  private final FleetTally tally = new FleetTally();

  @AfterEach
  void end() throws Exception {
    Collections.reverse(systems); // the last member to leave is the oldest
    for (ActorSystem<?> system : systems) {
      end(system);
    }
  }

  private static void end(ActorSystem<?> system) throws Exception {
    system.terminate();
    assertThat(system.getWhenTerminated().toCompletableFuture())
        .as(system.address().toString())
        .succeedsWithin(LIMIT_S, TimeUnit.SECONDS);
  }

  private static Config config() {
    return ConfigFactory.load(
        ConfigFactory.parseString(
                """
                dpu.library = softdpu
                dpu.engine.stall-warning = 30s
                pekko { loglevel = ERROR, stdout-loglevel = OFF, log-dead-letters = off }
                pekko { jvm-shutdown-hooks = off, coordinated-shutdown.run-by-jvm-shutdown-hook = off }
                """)
            .withFallback(FleetConfig.defaults()));
  }

  /** Starts a node, and returns its address when it takes work. */
  private HostPort node(List<HostPort> seeds) throws InterruptedException {
    return node(config(), seeds);
  }

  private HostPort node(Config base, List<HostPort> seeds) throws InterruptedException {
    BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    systems.add(
        ActorSystem.create(
            FleetNode.create(List.of(), seeds, events::add), "dpu", FleetConfig.node(base, 0)));
    Event event = events.poll(LIMIT_S, TimeUnit.SECONDS);
    assertThat(event).isInstanceOf(Ready.class);
    return HostPort.parse(((Ready) event).address());
  }

  /** Runs jobs through the fleet, and returns all events of the batch but progress. */
  private List<BatchEvent> run(List<HostPort> seeds, FileJob... jobs) throws InterruptedException {
    return run(config(), seeds, jobs);
  }

  private List<BatchEvent> run(Config base, List<HostPort> seeds, FileJob... jobs)
      throws InterruptedException {
    return ended(begin(base, seeds, jobs));
  }

  /** Starts a client with jobs, and returns its events. */
  private BlockingQueue<BatchEvent> begin(Config base, List<HostPort> seeds, FileJob... jobs) {
    BlockingQueue<BatchEvent> events = new LinkedBlockingQueue<>();
    BatchSettings settings =
        new BatchSettings(
            Optional.empty(), 1, 8, BatchSettings.DEFAULT_MEMORY_BYTES, List.of(jobs));
    Config config = FleetConfig.client(FleetConfig.withSeeds(base, seeds));
    systems.add(ActorSystem.create(guardian(settings, events), "dpu", config));
    return events;
  }

  /** Waits for the end of a batch, and returns its events but progress. */
  private static List<BatchEvent> ended(BlockingQueue<BatchEvent> events)
      throws InterruptedException {
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

  private Behavior<Void> guardian(BatchSettings settings, BlockingQueue<BatchEvent> events) {
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

  private Path file(String name, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    Random random = new Random(bytes);
    for (int i = 0; i < bytes; i++) {
      content[i] = (byte) "etaoin shrdlu\n".charAt(random.nextInt(14));
    }
    return Files.write(folder.resolve(name), content);
  }

  @Test
  void aFileGoesThroughTwoNodesAndBack() throws Exception {
    HostPort first = node(List.of());
    HostPort second = node(List.of(first));
    Path in = file("in", 40 * BLOCK + 1);
    Path packed = folder.resolve("in.gz");
    Path back = folder.resolve("back");
    List<BatchEvent> events =
        run(
            List.of(first, second),
            new FileJob.Compress(in, packed, BLOCK, /* verify= */ true, false),
            new FileJob.Decompress(packed, back, Long.MAX_VALUE, false));
    assertThat(events).filteredOn(FileEvent.Done.class::isInstance).as("%s", events).hasSize(2);
    assertThat(back).hasSameBinaryContentAs(in);
    try (InputStream plain = new GZIPInputStream(Files.newInputStream(packed))) {
      assertThat(plain.readAllBytes()).isEqualTo(Files.readAllBytes(in));
    }
    assertThat(tally.shares().keySet())
        .containsExactlyInAnyOrder(first.toString(), second.toString());
    assertThat(tally.shares().values().stream().mapToLong(FleetTally.Share::blocks).sum())
        .as("each block counts once: deflate, verification, inflate")
        .isEqualTo(3 * 41);
    assertThat(tally.dropped()).isZero();
    assertThat(((BatchEvent.Ended) events.get(events.size() - 1)).clean()).isTrue();
  }

  @Test
  void aDrainedNodeLeavesAndRepeatsNoBlock() throws Exception {
    HostPort first = node(List.of());
    HostPort second = node(List.of(first));
    ActorSystem<?> draining = systems.get(1);
    BlockingQueue<FleetMonitor.Event> views = new LinkedBlockingQueue<>();
    ActorSystem<FleetMonitor.Command> monitor = monitor(views, List.of(first));
    assertThat(awaitNodes(views, nodes -> nodes.size() == 2))
        .extracting(FleetMonitor.NodeView::state)
        .containsOnly("up");
    Path in = file("in", 400 * BLOCK);
    Path packed = folder.resolve("in.gz");
    BlockingQueue<BatchEvent> events =
        begin(
            config(),
            List.of(first, second),
            new FileJob.Compress(in, packed, BLOCK, /* verify= */ false, false));
    assertThat(events.poll(LIMIT_S, TimeUnit.SECONDS)).isInstanceOf(BatchEvent.Opened.class);
    monitor.tell(new FleetMonitor.DrainNode(second));
    Set<String> states = new HashSet<>();
    List<FleetMonitor.NodeView> left =
        awaitNodes(
            views,
            nodes -> {
              nodes.forEach(node -> states.add(node.state()));
              return nodes.size() == 1;
            });
    assertThat(left).extracting(FleetMonitor.NodeView::node).containsExactly(first.toString());
    assertThat(states)
        .as("the node leaves, and is not removed as lost")
        .doesNotContain("unreachable");
    draining.getWhenTerminated().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
    assertThat(ended(events)).filteredOn(FileEvent.Done.class::isInstance).hasSize(1);
    assertThat(tally.shares().values().stream().mapToLong(FleetTally.Share::blocks).sum())
        .isEqualTo(400);
    assertThat(tally.repeated()).isZero();
    assertThat(tally.dropped()).isZero();
    monitor.tell(new FleetMonitor.DrainNode(second));
    assertThat(await(views, FleetMonitor.Failed.class).message())
        .isEqualTo("no node %s is reachable; the nodes are [%s]".formatted(second, first));
  }

  private ActorSystem<FleetMonitor.Command> monitor(
      BlockingQueue<FleetMonitor.Event> events, List<HostPort> seeds) {
    Config config = FleetConfig.client(FleetConfig.withSeeds(config(), seeds));
    ActorSystem<FleetMonitor.Command> monitor =
        ActorSystem.create(FleetMonitor.create(Duration.ofMillis(100), events::add), "dpu", config);
    systems.add(monitor);
    return monitor;
  }

  private static List<FleetMonitor.NodeView> awaitNodes(
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

  private static <T> T await(BlockingQueue<FleetMonitor.Event> events, Class<T> type)
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

  @Test
  void aMonitorWithoutAFleetFails() throws Exception {
    BlockingQueue<FleetMonitor.Event> events = new LinkedBlockingQueue<>();
    systems.add(
        ActorSystem.create(
            FleetMonitor.create(Duration.ofMillis(100), events::add),
            "dpu",
            FleetConfig.client(
                FleetConfig.withSeeds(
                    config()
                        .withValue(
                            "dpu.fleet.client.join-deadline", ConfigValueFactory.fromAnyRef("1s")),
                    List.of(new HostPort("127.0.0.1", 1))))));
    assertThat(await(events, FleetMonitor.Failed.class).message())
        .startsWith("no node of the fleet at [127.0.0.1:1] answers, after 1 s");
  }

  @Test
  @Timeout(180) // keytool computes five keys
  void onlyAMemberWithACertificateOfTheFleetGetsWork() throws Exception {
    List<Path> members = FleetKeys.create(folder.resolve("keys"), 2);
    Path stranger = FleetKeys.create(folder.resolve("other"), 1).get(0);
    HostPort node = node(with("dpu.fleet.tls-dir", members.get(0)), List.of());
    Path in = file("in", 3 * BLOCK);
    Config brief = with("dpu.fleet.client.join-deadline", "3s");
    assertThat(compress(brief, node, in, "plain.gz")).hasValueSatisfying(FleetTest::isLonely);
    assertThat(compress(with(brief, "dpu.fleet.tls-dir", stranger), node, in, "other.gz"))
        .hasValueSatisfying(FleetTest::isLonely);
    assertThat(compress(with("dpu.fleet.tls-dir", members.get(1)), node, in, "in.gz")).isEmpty();
    try (InputStream plain = new GZIPInputStream(Files.newInputStream(folder.resolve("in.gz")))) {
      assertThat(plain.readAllBytes()).isEqualTo(Files.readAllBytes(in));
    }
  }

  private static Config with(String key, Object value) {
    return with(config(), key, value);
  }

  private static Config with(Config base, String key, Object value) {
    return base.withValue(key, ConfigValueFactory.fromAnyRef(value.toString()));
  }

  /** Compresses a file on a client, ends it, and returns the message of the batch's failure. */
  private Optional<String> compress(Config base, HostPort node, Path in, String out)
      throws Exception {
    List<BatchEvent> events =
        run(
            base,
            List.of(node),
            new FileJob.Compress(in, folder.resolve(out), BLOCK, /* verify= */ false, false));
    end(systems.remove(systems.size() - 1));
    return ((BatchEvent.Ended) events.get(events.size() - 1))
        .failure()
        .map(failure -> failure.message());
  }

  private static void isLonely(String message) {
    assertThat(message).contains("no node of the fleet at").contains("can compress");
  }

  @Test
  void withoutANodeAJobFailsWithAReason() throws Exception {
    List<BatchEvent> events =
        run(
            config()
                .withValue("dpu.fleet.client.join-deadline", ConfigValueFactory.fromAnyRef("2s")),
            List.of(new HostPort("127.0.0.1", 1)),
            new FileJob.Compress(file("in", 10), folder.resolve("in.gz"), BLOCK, false, false));
    BatchEvent.Ended ended = (BatchEvent.Ended) events.get(events.size() - 1);
    assertThat(ended.failure().orElseThrow().message())
        .contains("no node of the fleet at [127.0.0.1:1] can compress (deflate)");
    assertThat(folder.resolve("in.gz")).doesNotExist();
  }

  @Test
  void aBlockBeyondTheFrameIsRefused() throws Exception {
    HostPort node = node(List.of());
    List<BatchEvent> events =
        run(
            List.of(node),
            new FileJob.Compress(
                file("in", 2 << 20), folder.resolve("in.gz"), 2 << 20, false, false));
    FileEvent.Failed failed = (FileEvent.Failed) events.get(1);
    assertThat(failed.failure().toString())
        .contains("block 0", "TOO_BIG", "at most " + FleetEngine.MAX_CONTENT_BYTES);
  }

  @Test
  void aWindowThatStopsTheControllerIsRefused() {
    Config small = config().withValue("dpu.fleet.node.window", ConfigValueFactory.fromAnyRef(3));
    assertThatThrownBy(() -> FleetConfig.node(small, 0))
        .hasMessage("dpu.fleet.node.window is 3; it must be at least 4");
  }
}
