package io.dpuactors.apps.file;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the commands that use a device of this machine. */
public class DeviceOptions {
  @Option(
      names = "--device",
      paramLabel = "PCI",
      description = {
        "PCI address as 'dpu devices' shows it, long or short.",
        "Default: the first capable device."
      })
  private @Nullable String device;

  /** Creates unset options. Picocli sets them. */
  public DeviceOptions() {}

  /** Returns the chosen device, or empty. */
  public final Optional<String> device() {
    return Optional.ofNullable(device);
  }

  /** Returns the number of progress engines. */
  int engines() {
    return 1;
  }

  /** Returns the error of the first wrong option, or empty. */
  public Optional<String> problem() {
    return problem("--device", device());
  }

  /** Returns the error of an option with a wrong PCI address, or empty. */
  public static Optional<String> problem(String option, Optional<String> address) {
    return address
        .filter(text -> !text.matches("([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]"))
        .map(
            text ->
                "%s %s is not a PCI address such as 0000:03:00.0 or 03:00.0"
                    .formatted(option, text));
  }
}
