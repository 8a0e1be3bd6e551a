package io.dpuactors.apps.erasure;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.ErrorText;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.ProgressDisplay;
import io.dpuactors.apps.cli.Terminal;
import io.dpuactors.erasure.PartFormatException;
import io.dpuactors.erasure.PartReport;
import io.dpuactors.erasure.PartReport.State;
import io.dpuactors.erasure.PartSet;
import io.dpuactors.wire.OneLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dpu ec verify}. */
@Command(
    name = "verify",
    sortOptions = false,
    header = {"Check the parts of a file and print their states.", ""},
    description = {
      "",
      "Reads all blocks of all parts in DIR and compares their checksums. The command needs no device and writes nothing. "
          + "The exit status is 0 if all parts are sound, and 3 if a part is missing or damaged, also if the file is recoverable.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu ec verify parts",
      "  dpu ec verify --json parts | jq '.parts[] | select(.state != \"sound\")'"
    })
final class EcVerifyCommand extends CliCommand {
  @Parameters(paramLabel = "DIR", description = "The folder with the parts.")
  private Path folder = Path.of("");

  @Option(names = "--json", description = "Print one JSON document instead of text.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print errors only.")
  private boolean quiet;

  @Mixin private CommonOptions common = new CommonOptions();

  @Override
  public Integer call() throws IOException {
    common.apply();
    PartReport report;
    try (PartSet parts = PartSet.open(folder)) {
      report = check(parts);
    } catch (PartFormatException e) {
      return fail(OneLine.of(folder) + ": " + e.getMessage(), ExitCode.INPUT).status();
    } catch (IOException e) {
      return fail(ErrorText.of(e), ExitCode.INPUT).status();
    }
    if (json) {
      PartsJson.print(line().getOut(), report);
    } else if (!quiet) {
      PartsTable.print(line().getOut(), report);
    }
    return status(report).status();
  }

  private PartReport check(PartSet parts) throws IOException {
    ProgressDisplay bar =
        !json && !quiet && Terminal.showsProgress()
            ? new ProgressDisplay(line().getErr(), Terminal::columns)
            : null;
    long total = parts.header().fileBytes();
    LongConsumer progress =
        bar == null ? done -> {} : done -> bar.show(String.valueOf(folder), done, total);
    try {
      return PartReport.of(parts, progress);
    } finally {
      if (bar != null) {
        bar.clear();
      }
    }
  }

  private ExitCode status(PartReport report) {
    int parts = report.header().stripes().parts();
    long sound = report.count(State.SOUND);
    if (sound == parts) {
      return ExitCode.OK;
    }
    return fail(
        "%s: %d of %d parts are missing or damaged; the file is %s"
            .formatted(
                OneLine.of(folder),
                parts - sound,
                parts,
                report.isRecoverable() ? "recoverable" : "not recoverable"),
        ExitCode.INPUT);
  }
}
