package io.dpuactors.apps.fleet;

import io.dpuactors.apps.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code dpu fleet}. */
@Command(
    name = "fleet",
    sortOptions = false,
    synopsisSubcommandLabel = "COMMAND",
    header = {"Spread work over many DPUs and machines.", ""},
    description = {
      "",
      "Nodes offer their devices; a client sends the blocks of its files to the nodes that ask for work. "
          + "Blocks of a node that is lost are computed by other nodes.",
      ""
    },
    commandListHeading = "%nCommands:%n",
    subcommands = {
      FleetUpCommand.class,
      FleetNodeCommand.class,
      FleetStatusCommand.class,
      FleetDrainCommand.class,
      FleetInitCommand.class,
      FleetCompressCommand.class,
      FleetDecompressCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu fleet up --nodes 3            three nodes on this machine, until Ctrl-C",
      "  dpu fleet compress big.tar        in another terminal: big.tar.gz"
    })
public final class FleetCommand extends CommandGroup {
  public FleetCommand() {}
}
