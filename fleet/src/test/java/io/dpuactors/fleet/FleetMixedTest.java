package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.engine.EngineGroup;
import io.dpuactors.engine.GroupOptions;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileJob;
import io.dpuactors.fleet.FleetMessage.NodeStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests a fleet in which one node only inflates. The device of each node is the same. */
class FleetMixedTest extends FleetFixture {
  private static final int BLOCKS = 40;

  @Test
  void deflateGoesToTheCapableNodeOnlyAndInflateToBoth() throws Exception {
    HostPort capable = node(List.of());
    HostPort inflating = inflatingNode(capable);
    Path in = file("in", BLOCKS * BLOCK);
    int runs = 0;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    do { // the client may find one node only after the other one has done all blocks
      assertThat(System.nanoTime() - deadline).as("%s", tally.shares()).isNegative();
      passThrough(in, List.of(capable, inflating));
      runs++;
      assertThat(blocks(capable) + blocks(inflating))
          .as("deflate, verification, inflate")
          .isEqualTo(3L * BLOCKS * runs);
    } while (blocks(inflating) == 0 || blocks(capable) == (long) BLOCKS * runs);
    Map<String, NodeStatus> statuses = statuses(capable);
    assertThat(statuses).containsOnlyKeys(capable.toString(), inflating.toString());
    NodeStatus status = Objects.requireNonNull(statuses.get(inflating.toString()), "a key");
    assertThat(status.kinds()).isEqualTo(TaskKind.DECOMPRESS_DEFLATE.shortName());
    assertThat(status.blocks()).isGreaterThanOrEqualTo(blocks(inflating));
    assertThat(status.bytesOut())
        .as("a deflated block is smaller than its content")
        .isEqualTo(status.blocks() * BLOCK);
    assertThat(statuses.values()).extracting(NodeStatus::failed).containsOnly(0L);
  }

  private long blocks(HostPort node) {
    FleetTally.Share share = tally.shares().get(node.toString());
    return share == null ? 0 : share.blocks();
  }

  private void passThrough(Path in, List<HostPort> nodes) throws InterruptedException {
    Path packed = folder.resolve("in.gz");
    Path back = folder.resolve("back");
    List<BatchEvent> events =
        run(
            nodes,
            new FileJob.Compress(in, packed, BLOCK, /* verify= */ true, true),
            new FileJob.Decompress(packed, back, Long.MAX_VALUE, true));
    assertThat(events).filteredOn(FileEvent.Done.class::isInstance).as("%s", events).hasSize(2);
    assertThat(back).hasSameBinaryContentAs(in);
  }

  private Map<String, NodeStatus> statuses(HostPort seed) throws InterruptedException {
    BlockingQueue<FleetMonitor.Event> views = new LinkedBlockingQueue<>();
    monitor(views, List.of(seed));
    return awaitNodes(views, nodes -> nodes.stream().allMatch(one -> one.status().isPresent()))
        .stream()
        .flatMap(one -> one.status().stream())
        .collect(Collectors.toMap(NodeStatus::node, Function.identity()));
  }

  private HostPort inflatingNode(HostPort seed) throws InterruptedException {
    List<HostPort> seeds = List.of(seed);
    BlockingQueue<FleetNodeEvent> events = new LinkedBlockingQueue<>();
    systems.add(
        ActorSystem.create(
            guardian(seeds, events), "dpu", FleetConfig.node(config(), /* port= */ 0, seeds)));
    return ready(events);
  }

  private static Behavior<FleetNode.Command> guardian(
      List<HostPort> seeds, BlockingQueue<FleetNodeEvent> events) {
    return Behaviors.setup(
        context -> {
          NodeDevices all = NodeDevices.choose(DocaLibrary.load(LibraryChoice.SOFTDPU), List.of());
          NodeDevices devices =
              new NodeDevices(all.library(), all.addresses(), Set.of(TaskKind.DECOMPRESS_DEFLATE));
          GroupOptions group =
              GroupOptions.of(1).onDevices(devices.addresses().toArray(String[]::new));
          return FleetNode.create(
              devices, EngineGroup.spawn(context, "engine", group), seeds, events::add);
        });
  }
}
