package io.dpuactors.apps.hash;

import com.typesafe.config.Config;
import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.ProgressDisplay;
import io.dpuactors.apps.cli.Terminal;
import io.dpuactors.apps.file.BatchRunner;
import io.dpuactors.apps.file.DeviceOptions;
import io.dpuactors.apps.file.FileRun;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.HashBatch;
import io.dpuactors.file.HashEvent;
import io.dpuactors.file.HashSettings;
import io.dpuactors.file.PartialFiles;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code dpu hash}. */
@Command(
    name = "hash",
    sortOptions = false,
    header = {"Hash files on the device, several files at a time.", ""},
    description = {
      "",
      "Prints one line for each file, as sha256sum does: the digest and the name. With --check, reads such lists "
          + "and compares. A file of any length needs two buffers of 1 MiB: the device hashes one part while the program reads the next.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu hash *.iso > SHA256SUMS                    a list for sha256sum -c",
      "  dpu hash --check SHA256SUMS                    status 1 if a file differs",
      "  dpu hash --algorithm sha512 --json big.tar",
      "  tar c folder | dpu hash -",
      "",
      "A name with a backslash, a line feed or a carriage return is escaped, and",
      "its line begins with a backslash."
    })
public final class HashCommand extends CliCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files to read, in this order; - is standard input.")
  private List<Path> files = List.of();

  @Option(
      names = {"-a", "--algorithm"},
      paramLabel = "NAME",
      defaultValue = "sha256",
      converter = AlgorithmConverter.class,
      description = "sha1, sha256 or sha512. Default: ${DEFAULT-VALUE}.")
  private Algorithm algorithm = Algorithm.SHA256;

  @Option(
      names = {"-b", "--binary"},
      description = "Write an asterisk before each name, as sha256sum --binary does.")
  private boolean binary;

  @Option(names = "--tag", description = "Write lines as SHA256 (FILE) = digest.")
  private boolean tag;

  @Option(
      names = {"-z", "--zero"},
      description = "End each line with a zero byte, and escape no name.")
  private boolean zero;

  @Mixin private SumCheck.Options check = new SumCheck.Options();

  @Option(
      names = {"-p", "--parallel"},
      paramLabel = "N",
      description = "Files at a time. Default: dpu.sha.window of the configuration: 4.")
  private @Nullable Integer parallel;

  @Mixin private DeviceOptions devices = new DeviceOptions();

  @Option(names = "--json", description = "Print one JSON document instead of text.")
  private boolean json;

  @Mixin private CommonOptions common = new CommonOptions();

  public HashCommand() {}

  @Override
  public Integer call() throws Exception {
    common.start();
    refuse(problem());
    SumCheck comparison = check.check ? comparison() : null;
    HashReport report =
        comparison == null
            ? report(files, this::print)
            : report(comparison.files(), (all, event) -> comparison.onResult(event));
    if (!report.files().isEmpty()) {
      run(report);
    }
    if (comparison != null && comparison.hasFailed()) {
      report.fail(ExitCode.FAILURE);
    }
    if (json) {
      HashJson.print(line().getOut(), report, algorithm, comparison);
    }
    return report.exitCode().status();
  }

  private Optional<String> problem() {
    if (!check.check && check.first().isPresent()) {
      return Optional.of(check.first().get() + " needs --check");
    }
    if (check.check && (binary || tag || zero)) {
      return Optional.of("--check reads every format: --binary, --tag and --zero do not apply");
    }
    if (parallel != null && parallel < 1) {
      return Optional.of("--parallel " + parallel + ": it must be at least 1");
    }
    return files.stream().filter(FileJob::isStream).count() > 1
        ? Optional.of("'-' (standard input) may be one FILE only")
        : devices.problem();
  }

  private SumCheck comparison() {
    PrintWriter out = json ? new PrintWriter(Writer.nullWriter()) : line().getOut();
    return SumCheck.of(check, files, algorithm, out, line().getErr());
  }

  private HashReport report(List<Path> names, BiConsumer<HashReport, HashEvent> onResult) {
    boolean draws = !json && !check.quiet && !check.status && Terminal.showsProgress();
    return new HashReport(
        line(),
        names,
        common.debug,
        draws ? new ProgressDisplay(line().getErr(), Terminal::columns) : null,
        onResult);
  }

  private void run(HashReport report) throws Exception {
    Config config = Configuration.load();
    FileRun.loadLibraries(config);
    int window = parallel == null ? Configuration.window(config, "dpu.sha.window") : parallel;
    HashSettings settings =
        new HashSettings(
            devices.device(), Math.min(window, report.files().size()), algorithm, report.files());
    BatchRunner.run(
        (partials, listener) -> HashBatch.create(settings, partials, listener),
        PartialFiles.create(),
        config,
        report::onEvent);
  }

  private void print(HashReport report, HashEvent event) {
    if (event instanceof HashEvent.Failed lost) {
      if (lost.failure().kind() != FileFailure.Kind.CANCELLED) { // the end of the batch reports it
        report.onFailure(lost.failure());
      }
    } else if (event instanceof HashEvent.Done done && !json) {
      SumLine.Format format =
          tag ? SumLine.Format.TAG : binary ? SumLine.Format.BINARY : SumLine.Format.TEXT;
      SumLine line = new SumLine(done.digest(), files.get(event.index()).toString());
      report.out().print(line.text(algorithm, format, !zero) + (zero ? '\0' : '\n'));
      report.out().flush();
    }
  }

  /** Converts sha1, sha256 and sha512 for picocli. */
  static final class AlgorithmConverter implements ITypeConverter<Algorithm> {
    @Override
    public Algorithm convert(String name) {
      return Stream.of(Algorithm.values())
          .filter(each -> each.name().equalsIgnoreCase(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + name + "' is no algorithm: choose sha1, sha256 or sha512"));
    }
  }
}
