package io.dpuactors.apps.file;

import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of the commands that process files on several engines. */
class EngineOptions extends RunOptions {
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

  @Override
  Optional<String> problem() {
    return engines < 1 || engines > 64
        ? Optional.of("--engines " + engines + ": it must be from 1 to 64")
        : super.problem();
  }
}
