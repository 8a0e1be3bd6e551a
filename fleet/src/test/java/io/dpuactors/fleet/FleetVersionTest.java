package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that a client of another version of the protocol learns the reason of its refusal. */
class FleetVersionTest extends FleetFixture {
  @Test
  void aClientOfAnOlderVersionIsRefusedAndOthersAreServed() throws Exception {
    HostPort node = node(List.of());
    Config older =
        with(
            with("dpu.fleet.client.join-deadline", "8s"),
            "pekko.actor.serializers.dpu-fleet",
            OlderSerializer.class.getName());
    assertThat(compress(older, node, file("in", BLOCK), "older.gz"))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .hasLineCount(1)
                    .contains(
                        "fleet: DOCA_ERROR_UNSUPPORTED_VERSION (19): no node of the fleet",
                        "; refused by %s: the client has version 1 of the protocol, this node has version %d"
                            .formatted(node, FleetMessage.PROTOCOL)));
    assertThat(folder.resolve("older.gz")).doesNotExist();
    assertThat(Refusals.of(systems.get(0)).counts()).isEqualTo(Map.of("protocol", 1L));
    assertThat(compress(config(), node, file("in", BLOCK), "in.gz")).isEmpty();
  }
}
