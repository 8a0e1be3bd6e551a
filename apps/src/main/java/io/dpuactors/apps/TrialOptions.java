package io.dpuactors.apps;

import java.util.Optional;
import picocli.CommandLine.Option;

/** For measurements: the same again, in one process. */
final class TrialOptions {
  @Option(
      names = "--trials",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Do it so many times, with a new connection each, and print a result each. Default: ${DEFAULT-VALUE}.")
  int trials = 1;

  /** What is wrong with them, if anything. */
  Optional<String> problem() {
    return trials < 1
        ? Optional.of("--trials " + trials + ": at least 1 is needed")
        : Optional.empty();
  }
}
