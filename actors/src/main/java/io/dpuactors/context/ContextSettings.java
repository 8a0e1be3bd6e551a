package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.node.ContextTimes;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.Nanos;
import io.dpuactors.protocol.TaskOptions;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.SupervisorStrategy;

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
    RestartSettings restart,
    SupervisorStrategy supervision) {

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
        restart,
        options.supervision().map(Strategies::check).orElseGet(restart::strategy));
  }
}
