package io.dpuactors.apps;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands that work on lists of files have in common. */
final class FileOptions extends RunOptions {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files to read, one after the other.")
  List<Path> files = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description = "Write to OUT; with one FILE only.")
  @Nullable Path output;

  @Override
  Optional<String> problem() {
    if (output != null && files.size() > 1) {
      return Optional.of("-o names one output, but there are " + files.size() + " files");
    }
    if (output != null && output.toString().equals("-")) {
      return Optional.of("-o -: an output is a file, so that it can appear when it is whole");
    }
    return super.problem();
  }
}
