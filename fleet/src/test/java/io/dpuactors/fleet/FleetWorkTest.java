package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileJob;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Tests files that pass through nodes, and jobs and settings that are refused. */
class FleetWorkTest extends FleetFixture {
  @Test
  void aFileGoesThroughTwoNodesAndBack() throws Exception {
    HostPort first = node(List.of());
    HostPort second = node(List.of(first));
    int runs = 0;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    do { // a node may have finished all blocks before the client finds the worker of the other one
      assertThat(System.nanoTime() - deadline).as("%s", tally.shares()).isNegative();
      passThrough(List.of(first, second));
      runs++;
      assertThat(tally.shares().values().stream().mapToLong(FleetTally.Share::blocks).sum())
          .as("each block counts once: deflate, verification, inflate")
          .isEqualTo(3L * 41 * runs);
      assertThat(tally.dropped()).isZero();
    } while (tally.shares().size() < 2);
    assertThat(tally.shares().keySet())
        .containsExactlyInAnyOrder(first.toString(), second.toString());
  }

  /** Compresses a file of 41 blocks, decompresses it, and compares. */
  private void passThrough(List<HostPort> nodes) throws Exception {
    Path in = file("in", 40 * BLOCK + 1);
    Path packed = folder.resolve("in.gz");
    Path back = folder.resolve("back");
    List<BatchEvent> events =
        run(
            nodes,
            new FileJob.Compress(in, packed, BLOCK, /* verify= */ true, true),
            new FileJob.Decompress(packed, back, Long.MAX_VALUE, true));
    assertThat(events).filteredOn(FileEvent.Done.class::isInstance).as("%s", events).hasSize(2);
    assertThat(((BatchEvent.Ended) events.get(events.size() - 1)).clean()).isTrue();
    assertThat(back).hasSameBinaryContentAs(in);
    assertPacked(packed, in);
  }

  private static void assertPacked(Path packed, Path in) throws IOException {
    try (InputStream plain = new GZIPInputStream(Files.newInputStream(packed))) {
      assertThat(plain.readAllBytes()).isEqualTo(Files.readAllBytes(in));
    }
  }

  /** With TLS, such contents have several parts. */
  @Test
  void largeBlocksGoThroughANodeWithTls() throws Exception {
    Config tls = with("dpu.fleet.tls-dir", FleetKeys.create(folder.resolve("keys"), 1).get(0));
    HostPort node = node(tls, List.of());
    Path in = file("in", 3 << 20);
    Path packed = folder.resolve("in.gz");
    List<BatchEvent> events =
        run(tls, List.of(node), new FileJob.Compress(in, packed, 1 << 20, false, false));
    assertThat(((BatchEvent.Ended) events.get(events.size() - 1)).clean()).isTrue();
    assertThat(tally.shares().values()).extracting(FleetTally.Share::blocks).containsExactly(3L);
    assertThat(tally.dropped()).isZero();
    assertPacked(packed, in);
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
        .contains("block 0", "INVALID_VALUE", "at most " + FleetEngine.MAX_CONTENT_BYTES);
  }

  @Test
  void aWindowThatStopsTheControllerIsRefused() {
    Config small = config().withValue("dpu.fleet.node.window", ConfigValueFactory.fromAnyRef(3));
    assertThatThrownBy(() -> FleetConfig.node(small, 0, List.of()))
        .hasMessage("dpu.fleet.node.window is 3; it must be at least 4");
  }

  @Test
  void aClientWithoutSeedsIsRefused() {
    Config alone = FleetConfig.withSeeds(config(), List.of());
    assertThatThrownBy(() -> FleetConfig.client(alone))
        .hasMessage("dpu.fleet.seeds is empty; it must name a member of the fleet");
  }
}
