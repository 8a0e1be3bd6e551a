package io.dpuactors.apps.channel;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The port of an RDMA server. */
final class PortOption {
  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "4791",
      description = "Port of the server. Default: ${DEFAULT-VALUE}.")
  int port = 4791;

  /** Returns the error of a wrong port, or empty. */
  Optional<String> problem() {
    return port < 0 || port > 0xffff
        ? Optional.of("--port " + port + ": it must be from 0 to 65535")
        : Optional.empty();
  }
}
