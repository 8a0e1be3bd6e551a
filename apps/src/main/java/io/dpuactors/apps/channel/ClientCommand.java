package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code dpu client}. */
@Command(
    name = "client",
    sortOptions = false,
    synopsisSubcommandLabel = "SERVICE",
    header = {"Run a client of a server on the DPU.", ""},
    description = {
      "",
      "A client runs on the host's side and finds the server by its name. The client of rdma runs"
          + " on any side, and finds it by address and port.",
      ""
    },
    commandListHeading = "%nServices:%n",
    subcommands = {
      ClientPingCommand.class,
      ClientDataCommand.class,
      ClientDmaCommand.class,
      ClientCompressCommand.class,
      ClientRdmaCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu client ping --count 100000   with 'dpu serve ping' in another terminal",
      "  dpu client compress access.log   access.log.gz; needs 'dpu serve compress'"
    })
public final class ClientCommand extends CommandGroup {
  public ClientCommand() {}
}
