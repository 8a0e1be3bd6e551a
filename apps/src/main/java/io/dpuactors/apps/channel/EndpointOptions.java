package io.dpuactors.apps.channel;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.apps.file.DeviceOptions;
import io.dpuactors.loop.IdleMode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of all servers and clients. */
class EndpointOptions {
  @Option(
      names = "--device",
      paramLabel = "PCI",
      description = {
        "PCI address as 'dpu devices' shows it, long or short.",
        "Default: DOCA_DEV_PCI of the environment, else the first capable device."
      })
  @Nullable String device;

  @Option(
      names = "--idle",
      paramLabel = "MODE",
      description = {
        "How the engine's thread waits for work: busy, adaptive, event.",
        "Default: dpu.engine.idle of the configuration, else adaptive."
      })
  @Nullable String idle;

  @Option(
      names = "--json",
      description = "Print JSON instead of text: a line per result, or one document for a file.")
  boolean json;

  Optional<String> device() {
    return given(device, "DOCA_DEV_PCI");
  }

  /** Returns the error of the first wrong option, or empty. */
  Optional<String> problem() {
    Optional<String> mode = Optional.ofNullable(idle);
    if (mode.isPresent() && !modes().contains(mode.get())) {
      return Optional.of(
          "--idle %s: it must be one of %s".formatted(mode.get(), String.join(", ", modes())));
    }
    return DeviceOptions.problem("--device", device());
  }

  private static List<String> modes() {
    return Arrays.stream(IdleMode.values()).map(m -> m.name().toLowerCase(Locale.ROOT)).toList();
  }

  /** Returns the configuration with the overrides of the options. */
  Config over(Config config) {
    return idle == null
        ? config
        : ConfigFactory.parseMap(Map.of("dpu.engine.idle", idle), "--idle").withFallback(config);
  }

  static Optional<String> given(@Nullable String option, String variable) {
    return Optional.ofNullable(option == null ? System.getenv(variable) : option)
        .filter(text -> !text.isBlank());
  }
}
