package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.fleet.FleetConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Kill;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.JoinSeedNodes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a fleet of real processes, some of which are killed or stopped. All tests use one fleet;
 * each ends with the nodes that it found. A block takes 100 ms, so that a job of 120 blocks lasts.
 */
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class FleetProgramTest {
  private static final int BLOCKS = 120;

  private static final int BLOCK = 64 << 10;

  @TempDir static Path logs;

  private static FleetProcesses fleet;

  @TempDir Path folder;

  /** Level 1 is ISA-L's, which sometimes makes other bytes of the same block. */
  private static final Map<String, String> SAME_BYTES = Map.of("SOFTDPU_DEFLATE_LEVEL", "2");

  @BeforeAll
  @Timeout(150)
  static void up() throws Exception {
    Map<String, String> slow = new HashMap<>(SAME_BYTES);
    slow.put("SOFTDPU_FAULTS", "compress-deflate:delay=100ms:every=1");
    fleet = FleetProcesses.up(logs, slow);
  }

  @AfterAll
  @Timeout(60)
  static void down() throws Exception {
    fleet.down();
  }

  private Path file() throws IOException {
    byte[] content = new byte[BLOCKS * BLOCK];
    Random random = new Random(1);
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) "etaoin shrdlu\n".charAt(random.nextInt(14));
    }
    return Files.write(folder.resolve("in"), content);
  }

  /** Starts a job, and returns when a part of its output is on the disk. */
  private Program begunJob() throws Exception {
    file();
    Program job = job();
    fleet.await(() -> isPartlyWritten() || !job.process().isAlive());
    assertThat(job.process().isAlive()).as("the job still runs: %s", job.err()).isTrue();
    return job;
  }

  private Program job() throws IOException {
    return fleet.client("compress", "-b", "64K", "--json", folder.resolve("in"));
  }

  private boolean isPartlyWritten() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".part"))
          .anyMatch(file -> file.toFile().length() > 10 * BLOCK / 4);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void assertWhole(Program job) throws Exception {
    assertThat(job.status()).as("%s; the fleet: %s", job.err(), fleet.err()).isZero();
    assertThat(blocks(job) + resumed(job)).as("each block counts once").isEqualTo(BLOCKS);
    Program plain = Program.of(logs, "gzip", "-dc", folder.resolve("in.gz").toString());
    assertThat(plain.status()).as(plain.err()).isZero();
    assertThat(plain.outFile()).hasSameBinaryContentAs(folder.resolve("in"));
  }

  private static long resumed(Program client) throws IOException {
    return document(client).get("files").get(0).path("blocksResumed").asLong();
  }

  /** Returns the sum of the blocks of all nodes. */
  private static long blocks(Program client) throws IOException {
    return shares(client).values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the blocks of each node by its address. */
  private static Map<String, Long> shares(Program client) throws IOException {
    Map<String, Long> shares = new HashMap<>();
    for (JsonNode node : document(client).get("nodes")) {
      shares.put(node.get("node").asText(), node.get("blocks").asLong());
    }
    return shares;
  }

  private static JsonNode document(Program client) throws IOException {
    return new ObjectMapper().readTree(client.out());
  }

  @Test
  void aFileHasTheBytesOfTheLocalCommand() throws Exception {
    file();
    Program there = job();
    assertWhole(there);
    Program local =
        Program.dpu(
            logs,
            SAME_BYTES,
            List.of(),
            List.of("compress", "-b", "64K", "-o", folder.resolve("local"), folder.resolve("in"))
                .toArray());
    assertThat(local.status()).as(local.err()).isZero();
    assertThat(folder.resolve("in.gz")).hasSameBinaryContentAs(folder.resolve("local"));
    Program back =
        fleet.client("decompress", "-o", folder.resolve("back"), folder.resolve("in.gz"));
    assertThat(back.status()).as(back.err()).isZero();
    assertThat(folder.resolve("back")).hasSameBinaryContentAs(folder.resolve("in"));
  }

  @Test
  void aKilledSeedCostsNoJobAndStartsAgain() throws Exception {
    int before = fleet.starts(0);
    Program job = begunJob();
    fleet.process(0).destroyForcibly();
    assertWhole(job);
    fleet.await(() -> fleet.starts(0) > before);
  }

  @Test
  void aStoppedNodeCostsNoJobAndStartsAgainWhenItContinues() throws Exception {
    int before = fleet.starts(2);
    Program job = begunJob();
    ProcessHandle node = fleet.process(2);
    fleet.signal("STOP", node);
    try {
      assertWhole(job);
      fleet.await(() -> !fleet.isMember(fleet.address(2)));
    } finally {
      fleet.signal("CONT", node);
    }
    fleet.await(() -> fleet.starts(2) > before);
    assertThat(fleet.err())
        .contains("dpu: the rest of the fleet has removed this node")
        .contains("dpu: node " + fleet.address(2) + " ended with status 5; starting it again");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/user", "/user/gateway"})
  void aNodeWhoseActorFailsStartsAgain(String actor) throws Exception {
    int before = fleet.starts(1);
    ActorSystem<Object> member = client();
    try {
      join(member);
      Adapter.toClassic(member)
          .actorSelection("pekko://dpu@" + fleet.address(1) + actor)
          .tell(Kill.getInstance(), ActorRef.noSender());
      fleet.await(() -> fleet.starts(1) > before);
    } finally {
      terminate(member);
    }
    assertThat(fleet.err())
        .contains("dpu: node " + fleet.address(1) + " ended with status 1; starting it again");
  }

  @Test
  void aRemovedClientEndsWithItsStatus() throws Exception {
    Program job = removedJob();
    assertThat(job.status()).as(job.err()).isEqualTo(ExitCode.DOWNED.status());
    assertThat(job.err())
        .isEqualTo("dpu: the rest of the fleet has removed this client; start it again\n");
    JsonNode error = document(job).get("error");
    assertThat(error.get("kind").asText()).isEqualTo("removed");
    assertThat(folder.resolve("in.gz")).doesNotExist();
    assertContinued(job());
  }

  @Test
  void aKilledClientContinuesItsFile() throws Exception {
    begunJob().process().destroyForcibly().waitFor();
    assertContinued(job());
  }

  @Test
  void afterAllProcessesAreKilledTheFleetStartsAgainAndTheFileContinues() throws Exception {
    List<Integer> before =
        IntStream.range(0, FleetProcesses.NODES).mapToObj(i -> fleet.starts(i)).toList();
    Program job = begunJob();
    IntStream.range(0, FleetProcesses.NODES).forEach(i -> fleet.process(i).destroyForcibly());
    job.process().destroyForcibly().waitFor();
    fleet.await(
        () ->
            IntStream.range(0, FleetProcesses.NODES)
                .allMatch(i -> fleet.starts(i) > before.get(i)));
    assertContinued(job());
  }

  private void assertContinued(Program job) throws Exception {
    assertWhole(job);
    assertThat(resumed(job)).isPositive();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(folder.resolve("in"), folder.resolve("in.gz"));
    }
  }

  /** Returns a client of the cluster. The caller terminates it. */
  private static ActorSystem<Object> client() {
    Config config =
        ConfigFactory.load(
            ConfigFactory.parseString("pekko { loglevel = OFF, stdout-loglevel = OFF }")
                .withFallback(FleetConfig.defaults()));
    return ActorSystem.create(Behaviors.empty(), "dpu", FleetConfig.client(config));
  }

  private static void join(ActorSystem<?> client) throws Exception {
    Cluster cluster = Cluster.get(client);
    cluster
        .manager()
        .tell(new JoinSeedNodes(List.of(new Address("pekko", "dpu", "127.0.0.1", fleet.port()))));
    fleet.await(() -> cluster.selfMember().status().equals(MemberStatus.up()));
  }

  private static void terminate(ActorSystem<?> client) throws Exception {
    client.terminate();
    client.getWhenTerminated().toCompletableFuture().get(150, TimeUnit.SECONDS);
  }

  /** Joins the fleet, starts a job, and removes its client from the cluster. */
  private Program removedJob() throws Exception {
    ActorSystem<Object> member = client();
    try {
      join(member);
      Cluster cluster = Cluster.get(member);
      Program job = begunJob();
      cluster.state().getMembers().forEach(one -> removeClient(cluster, one));
      return job;
    } finally {
      terminate(member);
    }
  }

  private static void removeClient(Cluster cluster, Member member) {
    if (member.hasRole("client") && !member.equals(cluster.selfMember())) {
      cluster.manager().tell(new Down(member.address()));
    }
  }

  @Test
  void aSignalEndsAMonitorWithoutAMessage() throws Exception {
    Program monitor = fleet.client("status", "--watch");
    fleet.await(
        () ->
            FleetProcesses.text(monitor).contains(fleet.address(0))
                || !monitor.process().isAlive());
    fleet.signal("INT", monitor.process().toHandle());
    assertThat(monitor.status()).isEqualTo(ExitCode.INTERRUPTED.status());
    assertThat(monitor.err()).isEmpty();
  }

  /** Pekko compares the resolvers of the members. */
  @Test
  void aClientWithAnotherResolverIsRefusedWithALine() throws Exception {
    String other = "-Dpekko.cluster.split-brain-resolver.active-strategy=keep-oldest";
    List<Program> clients =
        List.of(fleet.client("status", other), fleet.client("compress", other, file()));
    for (Program client : clients) {
      assertThat(client.status()).as(client.err()).isEqualTo(ExitCode.USAGE.status());
      assertThat(client.err())
          .contains("dpu: the fleet refused this client: its configuration differs\n");
    }
    assertThat(folder.resolve("in.gz")).doesNotExist();
  }

  @Test
  void aNodeThatIsNotThereCannotBeDrained() throws Exception {
    Program drain = fleet.client("drain", "127.0.0.1:1");
    assertThat(drain.status()).as(drain.err()).isEqualTo(ExitCode.DEVICE.status());
  }

  private static void assertNothingRepeated(Program job) throws IOException {
    assertThat(document(job).get("blocksRepeated").asLong()).isZero();
    assertThat(document(job).get("resultsDropped").asLong()).isZero();
  }

  /** Without the joined node, the job lasts at least half a minute. */
  @Test
  void aNodeThatJoinsTakesBlocksAndRepeatsNone() throws Exception {
    int block = 4 << 10;
    file();
    long before = computed();
    Program job = fleet.client("compress", "-b", block, "--json", folder.resolve("in"));
    Program node = fleet.joinedNode();
    assertThat(job.process().isAlive()).as("the job still runs: %s", job.err()).isTrue();
    assertThat(job.status()).as(job.err()).isZero();
    assertThat(blocks(job)).isEqualTo(BLOCKS * BLOCK / block);
    assertThat(shares(job)).containsKey(fleet.address(FleetProcesses.NODES));
    assertNothingRepeated(job);
    long after = before + BLOCKS * BLOCK / block;
    fleet.await(() -> sumOfBlocks() == after);
    fleet.drain(node);
  }

  /** Waits until each node answers, and returns the number of blocks that all have computed. */
  private static long computed() throws Exception {
    AtomicLong sum = new AtomicLong();
    fleet.await(
        () -> {
          sum.set(sumOfBlocks());
          return sum.get() >= 0;
        });
    return sum.get();
  }

  /**
   * Returns the number of blocks that the nodes have computed, with repeated ones; -1 while a node
   * does not answer.
   */
  private static long sumOfBlocks() {
    try {
      Program status = fleet.client("status", "--json");
      assertThat(status.status()).as(status.err()).isZero();
      long sum = 0;
      for (JsonNode node : document(status).get("nodes")) {
        if (!node.has("blocks")) {
          return -1;
        }
        sum += node.get("blocks").asLong();
      }
      return sum;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDrainedNodeLeavesWithoutRepeatedBlocks() throws Exception {
    Program node = fleet.joinedNode();
    Program job = begunJob();
    fleet.drain(node);
    assertWhole(job);
    assertNothingRepeated(job);
    Program status = fleet.client("status", "--json");
    assertThat(status.status()).as(status.err()).isZero();
    assertThat(document(status).get("nodes"))
        .extracting(one -> one.get("node").asText() + " " + one.get("state").asText())
        .containsExactly(
            fleet.address(0) + " up", fleet.address(1) + " up", fleet.address(2) + " up");
  }
}
