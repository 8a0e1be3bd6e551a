package io.dpuactors.rdma;

import com.typesafe.config.Config;
import io.dpuactors.bridge.internal.Rdma;
import io.dpuactors.context.RestartSettings;
import io.dpuactors.node.ContextTimes;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.Nanos;
import io.dpuactors.node.RdmaLinkSettings;
import io.dpuactors.protocol.RdmaOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of an RDMA context: the options of its Open command override {@code dpu.rdma}.
 *
 * @param device PCI address; empty: the first device that supports RDMA
 * @param tasks number of tasks on the device at once, over all connections
 * @param receives number of posted receives
 * @param receiveBytes size of each
 * @param credit number of messages that a behavior receives ahead of those it has handled
 * @param behaviorDeadline how long a behavior may take to end after its connection has ended
 */
record RdmaSettings(
    Optional<String> device,
    Rdma.Properties properties,
    int tasks,
    int receives,
    int receiveBytes,
    RdmaLinkSettings link,
    int credit,
    Duration behaviorDeadline,
    ContextTimes times,
    RestartSettings restart) {

  /** Checks ranges. */
  RdmaSettings {
    requirePositive("tasks", tasks);
    requirePositive("receives", receives);
    requirePositive("receive-bytes", receiveBytes);
    requirePositive("credit", credit);
    // DOCA has 16 and 8 bits for these numbers, and gets only the low ones.
    require("max-connections", properties.maxConnections(), 1, 0xffff);
    require("rnr-retries", properties.rnrRetries(), 0, 7);
  }

  private static void requirePositive(String key, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(key + " is " + value + "; it must be at least 1");
    }
  }

  private static void require(String key, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s is %d; it must be from %d to %d".formatted(key, value, least, most));
    }
  }

  /** Throws IllegalArgumentException for a number that is no port. */
  static void checkPort(int port) {
    require("port", port, 0, 0xffff);
  }

  /**
   * Reads the settings.
   *
   * @throws IllegalArgumentException naming a value that is out of range
   */
  static RdmaSettings from(Config root, RdmaOptions options) {
    Config config = root.getConfig("dpu.rdma");
    RestartSettings restart = RestartSettings.from(config.getConfig("restart"));
    int tasks = options.tasks().orElseGet(() -> config.getInt("tasks"));
    return new RdmaSettings(
        options.device(),
        new Rdma.Properties(
            options.permissions(),
            config.getInt("gid-index"),
            tasks,
            options.maxConnections().orElseGet(() -> config.getInt("max-connections")),
            config.getInt("rnr-retries"),
            requestTimeoutMs(config)),
        tasks,
        options.receives().orElseGet(() -> config.getInt("receives")),
        options.receiveBytes().orElseGet(() -> config.getInt("receive-bytes")),
        link(config, options),
        config.getInt("credit"),
        config.getDuration("behavior-deadline"),
        times(config),
        options.supervision().map(restart::under).orElse(restart));
  }

  private static int requestTimeoutMs(Config config) {
    long ms = config.getDuration("request-timeout").toMillis();
    if (ms < 1 || ms > 0xffff) {
      throw new IllegalArgumentException(
          "request-timeout is " + ms + " ms; it must be from 1 to 65535");
    }
    return (int) ms;
  }

  private static RdmaLinkSettings link(Config config, RdmaOptions options) {
    ContextTimes times = times(config);
    return new RdmaLinkSettings(
        new LaneSettings(
            options.window().orElseGet(() -> config.getInt("window")),
            config.getInt("queue"),
            Nanos.of(config.getDuration("deadline"))),
        options.share().orElseGet(() -> config.getInt("share")),
        new ContextTimes(attemptNs(config, times), times.drainNs(), times.stopNs()));
  }

  /** The device ends an attempt to connect at the request-timeout, and then reports its end. */
  private static long attemptNs(Config config, ContextTimes times) {
    return Math.min(
        Nanos.FOREVER, Nanos.of(config.getDuration("request-timeout")) + times.startNs());
  }

  private static ContextTimes times(Config config) {
    return new ContextTimes(
        Nanos.of(config.getDuration("start-deadline")),
        Nanos.of(config.getDuration("drain-deadline")),
        Nanos.of(config.getDuration("stop-deadline")));
  }
}
