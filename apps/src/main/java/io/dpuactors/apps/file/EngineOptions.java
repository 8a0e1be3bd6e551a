package io.dpuactors.apps.file;

import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of the commands that process files on several engines. */
class EngineOptions extends DeviceOptions {
  @Option(
      names = "--engines",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Progress engines, each with a separate thread and memory. Default: ${DEFAULT-VALUE}.")
  int engines = 1;

  @Override
  int engines() {
    return engines;
  }

  /** Refuses several engines: a key belongs to the contexts of one. */
  void checkOneEngine(CommandLine line) {
    if (engines > 1) {
      throw new ParameterException(line, "--engines " + engines + ": encryption needs one engine");
    }
  }

  @Override
  public Optional<String> problem() {
    return engines < 1 || engines > 64
        ? Optional.of("--engines " + engines + ": it must be from 1 to 64")
        : super.problem();
  }
}
