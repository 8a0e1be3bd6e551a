package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileJob;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.zip.GZIPInputStream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that each node of a fleet can be replaced during a job. */
class FleetRestartTest extends FleetFixture {
  private static final int SMALL = 4 << 10;
  private static final int BLOCKS = 2000;

  /** Two nodes with two workers each then need twice {@link #LIMIT_S} for all blocks. */
  private static final String SLOW = "compress-deflate:delay=400ms";

  private final SoftDpu device = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));

  @AfterEach
  void removeDelay() {
    device.clearFaults();
  }

  @Test
  void aRollingRestartLosesAndRepeatsNoBlock() throws Exception {
    List<HostPort> nodes = List.of(freePort(), freePort());
    start(nodes.get(0), List.of());
    start(nodes.get(1), nodes.subList(0, 1));
    device.faults(SLOW);
    Path in = file("in", BLOCKS * SMALL);
    Path packed = folder.resolve("in.gz");
    BlockingQueue<BatchEvent> events =
        begin(config(), nodes, new FileJob.Compress(in, packed, SMALL, false, false));
    replace(nodes.get(0), nodes.get(1));
    replace(nodes.get(1), nodes.get(0));
    assertThat(events).as("the job still runs").noneMatch(BatchEvent.Ended.class::isInstance);
    device.clearFaults();
    assertThat(ended(events)).filteredOn(FileEvent.Done.class::isInstance).hasSize(1);
    try (InputStream plain = new GZIPInputStream(Files.newInputStream(packed))) {
      assertThat(plain.readAllBytes()).isEqualTo(Files.readAllBytes(in));
    }
    assertThat(blocks(nodes.get(0)) + blocks(nodes.get(1))).isEqualTo(BLOCKS);
    assertThat(tally.repeated()).isZero();
    assertThat(tally.dropped()).isZero();
  }

  /** Ends the oldest node as SIGTERM does, and starts one with the same address. */
  private void replace(HostPort node, HostPort other) throws InterruptedException {
    awaitBlocks(node, 1);
    ActorSystem<?> old = systems.remove(0);
    leave(old);
    assertEnds(old.getWhenTerminated(), old);
    long before = blocks(node);
    start(node, List.of(other));
    awaitBlocks(node, before + 1);
  }

  /** Starts a node, also at the address of one that has left. */
  private void start(HostPort node, List<HostPort> seeds) throws InterruptedException {
    Config patient = with("dpu.fleet.node.drain-deadline", "1h");
    assertThat(ready(begin(patient, node.port(), seeds))).isEqualTo(node);
  }

  private long blocks(HostPort node) {
    FleetTally.Share share = tally.shares().get(node.toString());
    return share == null ? 0 : share.blocks();
  }

  private void awaitBlocks(HostPort node, long count) {
    Awaitility.await().atMost(Duration.ofSeconds(LIMIT_S)).until(() -> blocks(node) >= count);
  }
}
