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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of the members of a fleet. */
final class FleetOptions {
  /** Reads HOST:PORT. */
  static final class Converter implements ITypeConverter<HostPort> {
    Converter() {}

    @Override
    public HostPort convert(String text) {
      try {
        return HostPort.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(10);

  /** A client reports a lost connection to the fleet by its own line. */
  private static final List<String> QUIET =
      List.of("org.apache.pekko.cluster", "org.apache.pekko.remote");

  @Option(
      names = "--join",
      paramLabel = "HOST:PORT",
      converter = Converter.class,
      description = {
        "A member of the fleet to contact; name at least two.",
        "Default of clients: dpu.fleet.seeds of the configuration."
      })
  List<HostPort> join = new ArrayList<>();

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
  Config begin(CommonOptions common) throws Configuration.ConfigurationError {
    common.start();
    return client();
  }

  /** Returns the configuration of a client. The client's log then omits warnings of the cluster. */
  Config client() throws Configuration.ConfigurationError {
    QUIET.forEach(FleetOptions::silence);
    Config config = Configuration.load(FleetConfig.defaults());
    Config withSeeds = join.isEmpty() ? config : FleetConfig.withSeeds(config, join);
    return Configuration.checked(() -> FleetConfig.client(withSeeds));
  }
}
