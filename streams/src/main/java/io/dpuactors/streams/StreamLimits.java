package io.dpuactors.streams;

import com.typesafe.config.Config;
import io.dpuactors.protocol.ConnectionOptions;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Limits of one end of a stream over a connection.
 *
 * @param granted elements that the peer may send ahead of the downstream
 * @param inFlight messages that the connection sends at a time; it refuses none of so many
 * @param openDeadline time for the first message of the peer
 */
record StreamLimits(int granted, int inFlight, Duration openDeadline) {
  /** Returns the limits of the options, or of {@code dpu.comch.connection}. */
  static StreamLimits of(ConnectionOptions options, ActorSystem<?> system) {
    Config config = system.settings().config().getConfig("dpu.comch.connection");
    return new StreamLimits(
        options.credit().orElseGet(() -> config.getInt("credit")),
        options.window().orElseGet(() -> config.getInt("window")),
        openDeadline(system));
  }

  /** Returns the time for which an engine, or the peer of a connection, may open something. */
  static Duration openDeadline(ActorSystem<?> system) {
    return system.settings().config().getDuration("dpu.engine.open-deadline");
  }
}
