package io.dpuactors.apps.erasure;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Terminal;
import io.dpuactors.apps.file.DeviceOptions;
import io.dpuactors.apps.file.FileRun;
import io.dpuactors.apps.file.RunOptions;
import io.dpuactors.file.FileJob;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dpu ec recover}. */
@Command(
    name = "recover",
    sortOptions = false,
    header = {"Restore a file from its parts.", ""},
    description = {
      "",
      "Reads the parts of 'dpu ec encode' in DIR, under any names. Other files in DIR do not matter. "
          + "For each block, any N of the N + M parts suffice: damaged blocks count as lost, and the other blocks of their parts are used. "
          + "The file gets its name when it is complete and on disk. If too many parts are lost, there is no output.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu ec recover parts -o backup.tar",
      "  dpu ec recover parts -o - | tar t   each block follows when it is restored"
    })
final class EcRecoverCommand extends CliCommand {
  /** Configuration key of the number of stripes in flight. */
  static final String WINDOW = "dpu.erasure-coding.window";

  @Parameters(paramLabel = "DIR", description = "The folder with the parts.")
  private Path folder = Path.of("");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write; - is standard output.")
  private Path output = Path.of("");

  @Mixin private RunOptions options = new RunOptions();

  @Mixin private DeviceOptions devices = new DeviceOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Override
  public Integer call() throws Exception {
    if (FileJob.isStream(output) && (options.json || Terminal.isTerminal(1))) {
      throw wrongUse(
          options.json
              ? "--json: standard output carries the content; name a file with -o"
              : "standard output is a terminal: redirect it, or name a file with -o");
    }
    if (FileJob.isStream(folder)) {
      throw wrongUse("DIR -: standard input is not supported, name a folder");
    }
    return new FileRun(line(), "ec recover", WINDOW, options, devices, common)
        .run(List.of(folder), input -> new FileJob.Recover(input, output, options.force));
  }
}
