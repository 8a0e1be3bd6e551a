package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.node.ContextTimes;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.protocol.ContextOptions;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * How a context behaves: the options of its Open command over the configuration of its library.
 *
 * @param device PCI address; empty: the first that fits
 * @param kinds empty: all that the device can do
 */
record ContextSettings(
    Optional<String> device,
    Set<TaskKind> kinds,
    LaneSettings lane,
    ContextTimes times,
    RestartSettings restart,
    SupervisorStrategy supervision) {

  static ContextSettings from(Config config, ContextOptions options) {
    RestartSettings restart = RestartSettings.from(config.getConfig("restart"));
    return new ContextSettings(
        options.device(),
        options.kinds(),
        new LaneSettings(
            options.window().orElseGet(() -> config.getInt("window")),
            options.queue().orElseGet(() -> config.getInt("queue")),
            options.deadline().orElseGet(() -> config.getDuration("deadline")).toNanos(),
            config.getInt("retry-turns"),
            config.getDuration("retry-delay").toNanos()),
        new ContextTimes(
            config.getDuration("start-deadline").toNanos(),
            config.getDuration("drain-deadline").toNanos(),
            config.getDuration("stop-deadline").toNanos()),
        restart,
        options.supervision().map(Strategies::check).orElseGet(restart::strategy));
  }
}
