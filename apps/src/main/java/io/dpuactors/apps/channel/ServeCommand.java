package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code dpu serve}. */
@Command(
    name = "serve",
    sortOptions = false,
    synopsisSubcommandLabel = "SERVICE",
    header = {"Serve clients over the communication channel or by RDMA.", ""},
    description = {
      "",
      "A server runs on the DPU's side until SIGTERM or SIGINT (Ctrl-C). The server prints one line when"
          + " clients can connect.",
      ""
    },
    commandListHeading = "%nServices:%n",
    subcommands = {
      ServePingCommand.class,
      ServeDataCommand.class,
      ServeDmaCommand.class,
      ServeCompressCommand.class,
      ServeRdmaCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu serve ping              then, in another terminal: dpu client ping",
      "  dpu serve compress --help   shows the help of one service"
    })
public final class ServeCommand extends CommandGroup {
  public ServeCommand() {}
}
