package io.dpuactors.apps.fleet;

import com.typesafe.config.Config;
import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.fleet.FleetConfig;
import io.dpuactors.fleet.HostPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu fleet up}. */
@Command(
    name = "up",
    sortOptions = false,
    header = {"Run a fleet of several nodes on this machine.", ""},
    description = {
      "",
      "Starts one process per node on loopback, on successive ports. The command starts a lost node again, "
          + "unless 'dpu fleet drain' has stopped it. Ctrl-C stops all nodes.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  dpu fleet up --nodes 3   then, in another terminal: dpu fleet compress FILE"})
final class FleetUpCommand extends CliCommand {
  private static final int MAX_NODES = 64;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of nodes. Default: ${DEFAULT-VALUE}.")
  private int nodes = 3;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "25520",
      description = "TCP port of the first node. Default: ${DEFAULT-VALUE}.")
  private int port = 25520;

  @Option(
      names = "--devices",
      paramLabel = "PCI",
      split = ",",
      description = "Devices of each node: see 'dpu fleet node --help'.")
  private List<String> devices = new ArrayList<>();

  @Mixin private CommonOptions common = new CommonOptions();

  @Override
  public Integer call() throws Exception {
    common.apply();
    refuse(problem());
    List<HostPort> addresses = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      addresses.add(new HostPort("127.0.0.1", port + i));
    }
    List<String> options = new ArrayList<>();
    if (!devices.isEmpty()) {
      options.add("--devices=" + String.join(",", devices));
    }
    common.overrides.forEach((key, value) -> options.add("-D" + key + "=" + value));
    if (common.debug) {
      options.add("--debug");
    }
    Config config = Configuration.load(FleetConfig.defaults());
    Configuration.checked(() -> FleetConfig.node(config, port, List.of()));
    Duration stopLimit = FleetOptions.stopLimit(config);
    return new NodeSupervisor(addresses, options, stopLimit, line(), NodeSupervisor::launch)
        .run()
        .status();
  }

  private Optional<String> problem() {
    if (nodes < 1 || nodes > MAX_NODES) {
      return Optional.of("--nodes " + nodes + ": it must be from 1 to " + MAX_NODES);
    }
    return port < 1 || port + nodes > 65536
        ? Optional.of("--port " + port + ": the ports must be from 1 to 65535")
        : Optional.empty();
  }
}
