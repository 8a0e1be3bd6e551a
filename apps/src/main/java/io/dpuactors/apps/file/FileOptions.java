package io.dpuactors.apps.file;

import io.dpuactors.apps.cli.Terminal;
import io.dpuactors.file.FileJob;
import io.dpuactors.wire.OneLine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Options of the commands that process lists of files. */
public final class FileOptions extends RunOptions {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files to read, in this order; - is standard input.")
  public List<Path> files = List.of();

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

  /** Returns the output for an input: that of -o, standard output, or the name with a suffix. */
  public Path outputWithSuffix(CommandLine line, Path input, String suffix) {
    Path chosen =
        chosenOutput().orElseGet(() -> input.resolveSibling(input.getFileName() + suffix));
    if (FileJob.isStream(chosen) && Terminal.isTerminal(1)) {
      throw new ParameterException(
          line, "standard output is a terminal: redirect it, or name a file with -o");
    }
    return chosen;
  }

  /** Returns the output for an input: that of -o, standard output, or the name without suffix. */
  public Path outputWithoutSuffix(CommandLine line, Path input, String suffix) {
    return chosenOutput()
        .orElseGet(
            () -> {
              String name = String.valueOf(input.getFileName());
              if (!name.endsWith(suffix) || name.length() == suffix.length()) {
                throw new ParameterException(
                    line,
                    "%s: the name does not end in %s; name the output with -o"
                        .formatted(OneLine.of(input), suffix));
              }
              return input.resolveSibling(name.substring(0, name.length() - suffix.length()));
            });
  }

  /**
   * Returns the error of an option that exceeds a limit of the client of a fleet, or empty.
   *
   * @param mostBlocks largest number of blocks in flight
   */
  public Optional<String> problemInFleet(int mostBlocks) {
    return parallel != null && parallel > mostBlocks
        ? Optional.of("--parallel %d: it must be at most %d".formatted(parallel, mostBlocks))
        : Optional.empty();
  }

  @Override
  boolean mayDraw() {
    return !isStandardOutput() || !Terminal.isTerminal(1);
  }
}
