package io.dpuactors.apps;

import com.typesafe.config.Config;
import io.dpuactors.fleet.FleetConfig;
import io.dpuactors.fleet.HostPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of the members of a fleet. */
final class FleetOptions {
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(10);

  @Option(
      names = "--join",
      paramLabel = "HOST:PORT",
      description = {
        "A member of the fleet to contact; name at least two.",
        "Default of clients: dpu.fleet.seeds of the configuration."
      })
  List<String> join = new ArrayList<>();

  /** Returns the error of the first wrong address, or empty. */
  Optional<String> problem() {
    try {
      seeds();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of("--join " + e.getMessage());
    }
  }

  List<HostPort> seeds() {
    return join.stream().map(HostPort::parse).toList();
  }

  /** Returns the time limit between a signal to a node and the end of its process. */
  static Duration stopLimit(Config config) {
    return config.getDuration("dpu.fleet.node.drain-deadline").plus(LEAVE_LIMIT);
  }

  /** Returns the configuration of a client. */
  Config client() throws Configuration.ConfigurationError {
    Config config = Configuration.load(FleetConfig.defaults());
    Config withSeeds = join.isEmpty() ? config : FleetConfig.withSeeds(config, seeds());
    return Configuration.checked(() -> FleetConfig.client(withSeeds));
  }
}
