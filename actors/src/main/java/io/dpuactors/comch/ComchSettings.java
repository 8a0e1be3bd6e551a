package io.dpuactors.comch;

import com.typesafe.config.Config;
import io.dpuactors.bridge.internal.MessageLimits;
import io.dpuactors.node.ContextTimes;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.LinkSettings;
import io.dpuactors.node.Nanos;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.DataOptions;
import java.time.Duration;

/** Defaults for options that a command omits, read from {@code dpu.comch}. */
record ComchSettings(Config config) {
  static ComchSettings from(Config root) {
    return new ComchSettings(root.getConfig("dpu.comch"));
  }

  /**
   * Refuses invalid service names.
   *
   * @throws IllegalArgumentException saying why
   */
  static void checkName(String service) {
    if (service.isEmpty() || service.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "a service name must not be empty and must not contain NUL");
    }
  }

  /** Returns the limits of messages on the control path. */
  MessageLimits limits() {
    return new MessageLimits(config.getInt("max-message"), config.getInt("recv-queue"));
  }

  /** Returns the number of messages that a server may have in flight, over all its connections. */
  int sendTasks() {
    return config.getInt("server.send-tasks");
  }

  int maxConnections() {
    return config.getInt("server.max-connections");
  }

  /** Returns the time limit for a client's first message or consumer; zero: no limit. */
  Duration firstRequestDeadline() {
    return config.getDuration("server.first-request-deadline");
  }

  /** Returns the time limit for a server's first message; zero: no limit. */
  Duration firstAnswerDeadline() {
    return config.getDuration("client.first-answer-deadline");
  }

  ContextTimes times(String what) {
    return times(config.getConfig(what));
  }

  private static ContextTimes times(Config section) {
    return new ContextTimes(
        section.getDuration("start-deadline").toNanos(),
        section.getDuration("drain-deadline").toNanos(),
        section.getDuration("stop-deadline").toNanos());
  }

  LinkSettings link(ConnectionOptions options) {
    Config section = config.getConfig("connection");
    return new LinkSettings(
        new LaneSettings(
            options.window().orElseGet(() -> section.getInt("window")),
            options.queue().orElseGet(() -> section.getInt("queue")),
            Nanos.of(options.deadline().orElseGet(() -> section.getDuration("deadline")))),
        options.receiveQueue().orElseGet(() -> section.getInt("receive-queue")),
        options.framing(),
        new ContextTimes(
            0,
            section.getDuration("drain-deadline").toNanos(),
            section.getDuration("stop-deadline").toNanos()));
  }

  /**
   * Returns the number of messages that a behavior receives ahead of those it has handled.
   *
   * @throws IllegalArgumentException if the number is below 1
   */
  int credit(ConnectionOptions options) {
    int credit = options.credit().orElseGet(() -> config.getInt("connection.credit"));
    if (credit < 1) {
      throw new IllegalArgumentException("credit is " + credit + "; it must be at least 1");
    }
    return credit;
  }

  /** Returns how long a behavior may take to end after its connection has ended. */
  Duration behaviorDeadline() {
    return config.getDuration("connection.behavior-deadline");
  }

  LaneSettings producer(DataOptions options) {
    Config section = config.getConfig("producer");
    return lane(
        section,
        options,
        Nanos.of(options.deadline().orElseGet(() -> section.getDuration("deadline"))));
  }

  /**
   * Returns the settings of a consumer. These requests have no deadline, because data may arrive at
   * any time.
   */
  LaneSettings consumer(DataOptions options) {
    return lane(config.getConfig("consumer"), options, Nanos.FOREVER);
  }

  private static LaneSettings lane(Config section, DataOptions options, long deadlineNs) {
    return new LaneSettings(
        options.window().orElseGet(() -> section.getInt("window")),
        options.queue().orElseGet(() -> section.getInt("queue")),
        deadlineNs);
  }
}
