package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.transport.ThrottlerTransportAdapter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests the begin, drain, partition and search of a fleet. */
class FleetLifeTest extends FleetFixture {
  /** Short waits for lost members. */
  private static final String QUICK =
      """
      pekko.cluster.failure-detector.acceptable-heartbeat-pause = 5s
      pekko.cluster.split-brain-resolver.stable-after = 1s
      dpu.fleet.client.redo-after = 5s
      """;

  /** Members end without leaving. A node is noticed as lost before the resolver decides. */
  private static final String ABRUPT =
      """
      pekko.coordinated-shutdown.run-by-actor-system-terminate = off
      pekko.cluster.failure-detector.acceptable-heartbeat-pause = 2s
      pekko.cluster.split-brain-resolver.stable-after = 5s
      """;

  /** Members are noticed as lost after 1 s. The resolver decides long after the test has ended. */
  private static final String MOMENT =
      """
      pekko.coordinated-shutdown.run-by-actor-system-terminate = off
      pekko.cluster.failure-detector.heartbeat-interval = 200ms
      pekko.cluster.failure-detector.acceptable-heartbeat-pause = 1s
      pekko.cluster.unreachable-nodes-reaper-interval = 200ms
      pekko.cluster.split-brain-resolver.stable-after = 40s
      """;

  /** The node that is cut off would remove a lost client after half of this time. */
  private static final Duration STABLE_AFTER = Duration.ofSeconds(12);

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

  @Test
  void theFirstSeedBeginsWhenTheOthersAreInNoFleetAndAllAreKept() throws Exception {
    Config config =
        with(
            with("dpu.fleet.node.state-dir", folder.resolve("state")),
            "pekko.cluster.seed-node-timeout",
            "500ms");
    List<HostPort> seeds = List.of(freePort(), freePort());
    int port = seeds.get(0).port();
    assertThat(FleetConfig.seeds(config, port, List.of())).as("the first run").isEmpty();
    BlockingQueue<FleetNodeEvent> first = begin(config, port, seeds);
    assertThat(first.poll(2, TimeUnit.SECONDS)).as("silence is no answer").isNull();
    BlockingQueue<FleetNodeEvent> second = begin(config, seeds.get(1).port(), seeds);
    assertThat(ready(second)).isEqualTo(seeds.get(1));
    assertThat(ready(first)).isEqualTo(seeds.get(0));
    Awaitility.await()
        .atMost(Duration.ofSeconds(LIMIT_S))
        .untilAsserted(
            () -> {
              assertThat(FleetConfig.seeds(config, port, List.of()))
                  .containsExactlyInAnyOrderElementsOf(seeds);
              assertThat(FleetConfig.seeds(config, seeds.get(1).port(), List.of()))
                  .containsExactlyInAnyOrderElementsOf(seeds);
            });
    ActorSystem<?> ended = systems.remove(1);
    leave(ended);
    assertThat(ended.getWhenTerminated().toCompletableFuture())
        .as("the watch of the members has handled all events")
        .succeedsWithin(LIMIT_S, TimeUnit.SECONDS);
    assertThat(FleetConfig.seeds(config, seeds.get(1).port(), List.of()))
        .as("a node that has left")
        .containsExactlyInAnyOrderElementsOf(seeds);
  }

  @Test
  void theMinorityOfAPartitionEndsAndTheMajorityFinishesTheJob() throws Exception {
    Config config = ConfigFactory.parseString(QUICK).withFallback(config());
    HostPort first = node(config, List.of());
    node(config, List.of(first));
    Config throttled = with(config, "pekko.remote.artery.advanced.test-mode", "on");
    node(throttled, List.of(first));
    ActorSystem<?> minority = systems.get(2);
    Path in = file("in", 400 * BLOCK);
    BlockingQueue<BatchEvent> events =
        begin(
            config,
            List.of(first),
            new FileJob.Compress(in, folder.resolve("in.gz"), BLOCK, /* verify= */ false, false));
    assertThat(events.poll(LIMIT_S, TimeUnit.SECONDS)).isInstanceOf(BatchEvent.Opened.class);
    for (ActorSystem<?> one : List.of(systems.get(0), systems.get(1), systems.get(3))) {
      cut(minority, one);
    }
    minority.getWhenTerminated().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
    assertThat(CoordinatedShutdown.get(minority).getShutdownReason())
        .contains(CoordinatedShutdown.clusterDowningReason());
    assertThat(ended(events)).filteredOn(FileEvent.Done.class::isInstance).hasSize(1);
    assertThat(tally.shares().values().stream().mapToLong(FleetTally.Share::blocks).sum())
        .as("each block counts once")
        .isEqualTo(400);
    assertThat(systems.get(0).getWhenTerminated().toCompletableFuture()).isNotDone();
    assertThat(systems.get(1).getWhenTerminated().toCompletableFuture()).isNotDone();
  }

  /** Pekko's resolver removed all members after these two losses: "SBR double decision". */
  @Test
  void aNodeThatIsLostAfterAClientEndsOnlyItself() throws Exception {
    Config config = ConfigFactory.parseString(ABRUPT).withFallback(config());
    HostPort first = node(config, List.of());
    node(config, List.of(first));
    node(with(config, "pekko.remote.artery.advanced.test-mode", "on"), List.of(first));
    ActorSystem<Object> client = client(config, first);
    awaitMembers(4, 3);
    Member lost = Cluster.get(client).selfMember();
    leave(client);
    ActorSystem<?> third = systems.get(2);
    Awaitility.await("the first node knows that the third one has noticed the loss")
        .atMost(Duration.ofSeconds(LIMIT_S))
        .until(() -> isNoticed(lost, third, systems.get(0)));
    cut(third, systems.get(0));
    cut(third, systems.get(1));
    awaitMembers(2, 2);
    assertThat(systems.get(0).getWhenTerminated().toCompletableFuture()).isNotDone();
    assertThat(systems.get(1).getWhenTerminated().toCompletableFuture()).isNotDone();
  }

  /** A node that is cut off sees no client, but the other nodes do. */
  @Test
  void aNodeThatIsCutOffForAMomentRemovesNoClient() throws Exception {
    Config config = ConfigFactory.parseString(MOMENT).withFallback(config());
    HostPort first = node(config, List.of());
    node(config, List.of(first));
    Config moment =
        with(
            config,
            "pekko.cluster.split-brain-resolver.stable-after",
            STABLE_AFTER.toSeconds() + "s");
    node(with(moment, "pekko.remote.artery.advanced.test-mode", "on"), List.of(first));
    ActorSystem<Object> client = client(config, first);
    awaitMembers(4, 3);
    ActorSystem<?> cutOff = systems.get(2);
    List<ActorSystem<?>> others = List.of(systems.get(0), systems.get(1), client);
    for (ActorSystem<?> other : others) {
      cut(cutOff, other);
    }
    Awaitility.await("the third node reaches no other member")
        .atMost(Duration.ofSeconds(LIMIT_S))
        .until(() -> Cluster.get(cutOff).state().getUnreachable().size() == 3);
    Awaitility.await("the third node removes no client, and the others do not remove the node")
        .during(STABLE_AFTER.dividedBy(2).plusSeconds(1))
        .atMost(Duration.ofSeconds(LIMIT_S)) // a removed member does not return
        .until(() -> isUp(client, cutOff) && isUp(cutOff, systems.get(0)));
    for (ActorSystem<?> other : others) {
      setCut(cutOff, other, false);
    }
    Awaitility.await("all members reach each other")
        .atMost(Duration.ofSeconds(LIMIT_S))
        .until(
            () ->
                systems.stream()
                    .map(system -> Cluster.get(system).state())
                    .allMatch(state -> state.getUnreachable().isEmpty()));
    assertThat(isUp(client, systems.get(0))).isTrue();
    leave(client);
    awaitMembers(3, 3);
  }

  private ActorSystem<Object> client(Config config, HostPort seed) {
    ActorSystem<Object> client =
        ActorSystem.create(Behaviors.empty(), "dpu", FleetConfig.client(config));
    systems.add(client);
    Fleet.join(client, List.of(seed));
    return client;
  }

  private static boolean isUp(ActorSystem<?> member, ActorSystem<?> node) {
    Member self = Cluster.get(member).selfMember();
    return StreamSupport.stream(members(node).spliterator(), false)
        .anyMatch(one -> one.equals(self) && one.status().equals(MemberStatus.up()));
  }

  /** Waits until the first nodes have a number of members that are up. */
  private void awaitMembers(int count, int nodes) {
    for (ActorSystem<?> node : systems.subList(0, nodes)) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(LIMIT_S))
          .until(
              () ->
                  StreamSupport.stream(members(node).spliterator(), false)
                          .filter(member -> member.status().equals(MemberStatus.up()))
                          .count()
                      == count);
    }
  }

  /**
   * Returns whether a node has received the loss of a member from another node, or has removed it.
   */
  private static boolean isNoticed(Member lost, ActorSystem<?> observer, ActorSystem<?> node) {
    return StreamSupport.stream(members(node).spliterator(), false).noneMatch(lost::equals)
        || !org.apache.pekko.cluster.Cluster.get(node)
            .readView()
            .reachability()
            .isReachable(Cluster.get(observer).selfMember().uniqueAddress(), lost.uniqueAddress());
  }

  private static Iterable<Member> members(ActorSystem<?> node) {
    return Cluster.get(node).state().getMembers();
  }

  /** Drops all messages between two members. The first one has Artery's test mode. */
  private static void cut(ActorSystem<?> one, ActorSystem<?> other) throws Exception {
    setCut(one, other, true);
  }

  @SuppressWarnings("deprecation") // Artery's test mode takes the messages of the older transport
  private static void setCut(ActorSystem<?> one, ActorSystem<?> other, boolean isCut)
      throws Exception {
    Object both =
        Class.forName(ThrottlerTransportAdapter.class.getName() + "$Direction$Both$")
            .getField("MODULE$") // javac does not find this object of an object
            .get(null);
    RemoteActorRefProvider provider =
        (RemoteActorRefProvider) ((ExtendedActorSystem) Adapter.toClassic(one)).provider();
    provider
        .transport()
        .managementCommand(
            new ThrottlerTransportAdapter.SetThrottle(
                Cluster.get(other).selfMember().address(),
                (ThrottlerTransportAdapter.Direction) both,
                isCut
                    ? ThrottlerTransportAdapter.Blackhole$.MODULE$
                    : ThrottlerTransportAdapter.Unthrottled$.MODULE$));
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
}
