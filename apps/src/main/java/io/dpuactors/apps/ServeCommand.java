package io.dpuactors.apps;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
    exitCodeListHeading = "%nExit status:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu serve ping                                 then, in another terminal: dpu client ping",
      "  dpu serve compress --help                      tells everything about one service"
    })
final class ServeCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  ServeCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "what shall be served? Name a service");
  }
}
