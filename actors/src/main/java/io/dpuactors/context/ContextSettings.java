package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.node.ContextTimes;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.Nanos;
import io.dpuactors.protocol.TaskOptions;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of a context: the options of its Open command override the library's configuration.
 *
 * @param device PCI address; if empty, the first device that supports {@code kinds}
 * @param kinds if empty, all kinds that the device supports
 */
record ContextSettings(
    Optional<String> device,
    Set<TaskKind> kinds,
    LaneSettings lane,
    ContextTimes times,
    RestartSettings restart) {

  static ContextSettings from(Config config, TaskOptions options) {
    RestartSettings restart = RestartSettings.from(config.getConfig("restart"));
    return new ContextSettings(
        options.device(),
        options.kinds(),
        new LaneSettings(
            options.window().orElseGet(() -> config.getInt("window")),
            options.queue().orElseGet(() -> config.getInt("queue")),
            Nanos.of(options.deadline().orElseGet(() -> config.getDuration("deadline")))),
        new ContextTimes(
            Nanos.of(config.getDuration("start-deadline")),
            Nanos.of(config.getDuration("drain-deadline")),
            Nanos.of(config.getDuration("stop-deadline"))),
        options.supervision().map(restart::under).orElse(restart));
  }
}
