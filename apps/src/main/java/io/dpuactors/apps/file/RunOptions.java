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
        "Default: the window of the configuration, such as dpu.compress.window: 4,",
        "or dpu.fleet.client.window: 24."
      })
  @Nullable Integer parallel;

  @Option(
      names = "--device",
      paramLabel = "PCI",
      description = {
        "PCI address as 'dpu devices' shows it, long or short.",
        "Default: the first capable device."
      })
  @Nullable String device;

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

  /** Returns the number of progress engines. */
  int engines() {
    return 1;
  }

  Optional<String> device() {
    return Optional.ofNullable(device);
  }

  /** Returns whether a progress bar and the content use different terminals. */
  boolean mayDraw() {
    return true;
  }

  /** Returns the error of the first wrong option, or empty. */
  Optional<String> problem() {
    if (parallel != null && parallel < 1) {
      return Optional.of("--parallel " + parallel + ": it must be at least 1");
    }
    return deviceProblem(device);
  }

  /** Returns the error of a wrong PCI address, or empty. */
  public static Optional<String> deviceProblem(@Nullable String device) {
    return device == null
            || device.matches("([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]")
        ? Optional.empty()
        : Optional.of(
            "--device " + device + " is not a PCI address such as 0000:03:00.0 or 03:00.0");
  }
}
