package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests seeds that are names. */
class FleetNamesTest extends FleetFixture {
  /** The label is too long for a request to a server of names. */
  private static final HostPort UNKNOWN = new HostPort("x".repeat(64) + ".invalid", 25520);

  private static final Config BRIEF = with("dpu.fleet.client.join-deadline", "4s");

  @Test
  void nodesAndClientsJoinByAName() throws Exception {
    Config named = with("dpu.fleet.host", "localhost");
    HostPort first = node(named, List.of());
    assertThat(first.host()).isEqualTo("localhost");
    node(named, List.of(UNKNOWN, first));
    Path in = file("in", 3 * BLOCK);
    assertThat(compress(config(), List.of(UNKNOWN, first), in, "in.gz")).isEmpty();
  }

  @Test
  void anUnknownNameIsTheReasonOfAClient() throws Exception {
    Path in = file("in", BLOCK);
    assertThat(compress(BRIEF, List.of(UNKNOWN), in, "in.gz"))
        .hasValueSatisfying(FleetFixture::findsNoNode)
        .hasValueSatisfying(FleetNamesTest::namesTheUnknown);
  }

  @Test
  void anUnknownNameIsTheReasonOfAMonitor() throws Exception {
    BlockingQueue<FleetMonitor.Event> events = new LinkedBlockingQueue<>();
    monitor(BRIEF, events, List.of(UNKNOWN));
    namesTheUnknown(await(events, FleetMonitor.Failed.class).message());
  }

  private static void namesTheUnknown(String message) {
    assertThat(message).hasLineCount(1).endsWith("; " + UNKNOWN + ": the name has no address");
  }
}
