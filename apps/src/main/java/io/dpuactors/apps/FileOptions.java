package io.dpuactors.apps;

import io.dpuactors.file.FileJob;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of the commands that process lists of files. */
final class FileOptions extends EngineOptions {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files to read, in this order; - is standard input.")
  List<Path> files = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description = {
        "Write to OUT, with one FILE only; - is standard output.",
        "Default for standard input: standard output."
      })
  @Nullable Path output;

  @Override
  Optional<String> problem() {
    if (output != null && files.size() > 1) {
      return Optional.of("-o names one output, but there are " + files.size() + " files");
    }
    if (files.size() > 1 && files.stream().anyMatch(FileJob::isStream)) {
      return Optional.of("'-' (standard input) must be the only FILE");
    }
    return json && isStandardOutput()
        ? Optional.of("--json: standard output carries the content; name a file with -o")
        : super.problem();
  }

  /** Returns whether standard output takes the content. Without -o it does for standard input. */
  private boolean isStandardOutput() {
    return output != null ? FileJob.isStream(output) : files.stream().anyMatch(FileJob::isStream);
  }

  /** Returns the output of -o, or standard output for standard input; else empty. */
  Optional<Path> chosenOutput() {
    return isStandardOutput() ? Optional.of(FileJob.STREAM) : Optional.ofNullable(output);
  }

  @Override
  boolean mayDraw() {
    return !isStandardOutput() || !Terminal.isTerminal(1);
  }
}
