package io.dpuactors.apps.channel;

import io.dpuactors.apps.file.DeviceOptions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of all servers. */
final class ServeOptions extends ChannelOptions {
  @Option(
      names = "--representor",
      paramLabel = "PCI",
      description = {
        "PCI address of the clients' host function.",
        "Default: DOCA_DEV_REP_PCI of the environment, else the first of the device."
      })
  @Nullable String representor;

  @Option(
      names = "--max-clients",
      paramLabel = "N",
      description = {
        "Largest number of clients. The server refuses more.",
        "Default: dpu.comch.server.max-connections of the configuration."
      })
  @Nullable Integer maxClients;

  Optional<String> representor() {
    return given(representor, "DOCA_DEV_REP_PCI");
  }

  @Override
  Optional<String> problem() {
    if (maxClients != null && maxClients < 1) {
      return Optional.of("--max-clients " + maxClients + ": it must be at least 1");
    }
    return super.problem().or(() -> DeviceOptions.problem("--representor", representor()));
  }
}
