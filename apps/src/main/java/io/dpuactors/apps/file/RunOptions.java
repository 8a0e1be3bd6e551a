package io.dpuactors.apps.file;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of all commands that process files. */
public class RunOptions {
  @Option(
      names = {"-p", "--parallel"},
      paramLabel = "N",
      description = {
        "Blocks in flight per engine, or of a fleet's client. More blocks need more memory.",
        "Default: 4 (dpu.*.window of the library), or 24 (dpu.fleet.client.window)."
      })
  @Nullable Integer parallel;

  @Option(
      names = {"-f", "--force"},
      description = "Replace an existing output.")
  public boolean force;

  @Option(names = "--json", description = "Print one JSON document instead of text.")
  public boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print errors only.")
  boolean quiet;

  /** Returns whether a progress bar and the content use different terminals. */
  boolean mayDraw() {
    return true;
  }

  /** Returns the error of the first wrong option, or empty. */
  Optional<String> problem() {
    return parallel != null && parallel < 1
        ? Optional.of("--parallel " + parallel + ": it must be at least 1")
        : Optional.empty();
  }
}
