package io.dpuactors.apps;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands that work on files have in common. */
final class FileOptions {
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

  @Option(
      names = {"-p", "--parallel"},
      paramLabel = "N",
      description = {
        "Blocks in flight per engine. Memory grows with it.",
        "Default: dpu.compress.window of the configuration, which is 4."
      })
  @Nullable Integer parallel;

  @Option(
      names = "--engines",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Progress engines, each with a thread and memory of its own. Default: ${DEFAULT-VALUE}.")
  int engines = 1;

  @Option(
      names = "--device",
      paramLabel = "PCI",
      description = {
        "PCI address as 'dpu devices' shows it, long or short.",
        "Default: the first device that can do it."
      })
  @Nullable String device;

  @Option(
      names = {"-f", "--force"},
      description = "Replace an output that exists.")
  boolean force;

  @Option(names = "--json", description = "Print one JSON document instead of text.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print errors only.")
  boolean quiet;

  Optional<String> device() {
    return Optional.ofNullable(device);
  }

  /** What is wrong with the options as a whole, if anything. */
  Optional<String> problem() {
    if (output != null && files.size() > 1) {
      return Optional.of("-o names one output, but there are " + files.size() + " files");
    }
    if (output != null && output.toString().equals("-")) {
      return Optional.of("-o -: an output is a file, so that it can appear when it is whole");
    }
    if (parallel != null && parallel < 1) {
      return Optional.of("--parallel " + parallel + ": at least 1 block must be in flight");
    }
    if (engines < 1 || engines > 64) {
      return Optional.of("--engines " + engines + " is out of range: from 1 to 64");
    }
    if (device != null
        && !device.matches("([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]")) {
      return Optional.of(
          "--device " + device + " is not a PCI address such as 0000:03:00.0 or 03:00.0");
    }
    return Optional.empty();
  }
}
