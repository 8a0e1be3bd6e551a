package io.dpuactors.apps;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of all servers. */
final class ServeOptions extends ChannelOptions {
  @Option(
      names = "--representor",
      paramLabel = "PCI",
      description = {
        "PCI address of the host function that clients sit on.",
        "Default: DOCA_DEV_REP_PCI of the environment, else the device's first."
      })
  @Nullable String representor;

  @Option(
      names = "--max-clients",
      paramLabel = "N",
      description = {
        "Clients at once; more are refused.",
        "Default: dpu.comch.server.max-connections of the configuration."
      })
  @Nullable Integer maxClients;

  Optional<String> representor() {
    return given(representor, "DOCA_DEV_REP_PCI");
  }

  @Override
  Optional<String> problem() {
    if (maxClients != null && maxClients < 1) {
      return Optional.of("--max-clients " + maxClients + ": at least 1 must be allowed");
    }
    return super.problem().or(() -> address("--representor", representor()));
  }
}
