package io.dpuactors.apps.fleet;

import ch.qos.logback.classic.Level;
import com.typesafe.config.Config;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.fleet.FleetConfig;
import io.dpuactors.fleet.HostPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of the members of a fleet. */
final class FleetOptions {
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(10);

  /** A client reports a lost connection to the fleet by its own line. */
  private static final List<String> QUIET =
      List.of("org.apache.pekko.cluster", "org.apache.pekko.remote");

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

  /** Omits warnings, except with {@code --debug}. */
  private static void silence(String name) {
    Logger logger = LoggerFactory.getLogger(name);
    if (!logger.isInfoEnabled()) {
      ((ch.qos.logback.classic.Logger) logger).setLevel(Level.ERROR);
    }
  }

  /** Begins a command that shows or changes a fleet. Returns the configuration of a client. */
  Config begin(CommandLine line, CommonOptions common) throws Configuration.ConfigurationError {
    common.start();
    Optional<String> problem = problem();
    if (problem.isPresent()) {
      throw new ParameterException(line, problem.get());
    }
    return client();
  }

  /** Returns the configuration of a client. The client's log then omits warnings of the cluster. */
  Config client() throws Configuration.ConfigurationError {
    QUIET.forEach(FleetOptions::silence);
    Config config = Configuration.load(FleetConfig.defaults());
    Config withSeeds = join.isEmpty() ? config : FleetConfig.withSeeds(config, seeds());
    return Configuration.checked(() -> FleetConfig.client(withSeeds));
  }
}
