package io.dpuactors.apps;

import picocli.CommandLine.Command;

/** {@code dpu serve}. */
@Command(
    name = "serve",
    sortOptions = false,
    synopsisSubcommandLabel = "SERVICE",
    header = {"Serve clients of the host over the communication channel.", ""},
    description = {
      "",
      "Runs on the DPU's side until it is told to stop by SIGTERM or SIGINT (Ctrl-C). Prints one line when clients can come.",
      ""
    },
    commandListHeading = "%nServices:%n",
    subcommands = {
      ServePingCommand.class,
      ServeDataCommand.class,
      ServeDmaCommand.class,
      ServeCompressCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu serve ping              then, in another terminal: dpu client ping",
      "  dpu serve compress --help   tells everything about one service"
    })
final class ServeCommand extends CommandGroup {
  ServeCommand() {}
}
