package io.dpuactors.streams;

import com.typesafe.config.Config;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.PoolOptions;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Limits of one end of a stream over a connection.
 *
 * @param granted elements that the peer may send ahead of the downstream
 * @param inFlight messages in flight; up to this number the connection never answers Busy
 * @param framing payloads larger than a message; empty: none
 * @param maxElementBytes largest element that passes in several messages; 0: none does
 * @param openDeadline time for the first message of the peer
 */
record StreamLimits(
    int granted,
    int inFlight,
    Optional<MessageFraming> framing,
    int maxElementBytes,
    Duration openDeadline) {
  /** Makes the limits of a stream from the configuration. */
  @FunctionalInterface
  interface Source {
    StreamLimits of(ActorSystem<?> system);
  }

  /** Returns the limits of the options, or of {@code dpu.comch.connection}. */
  static Source of(ConnectionOptions options) {
    return system -> {
      Config config = system.settings().config().getConfig("dpu.comch.connection");
      return new StreamLimits(
          options.credit().orElseGet(() -> config.getInt("credit")),
          options.window().orElseGet(() -> config.getInt("window")),
          options.framing(),
          0,
          openDeadline(system));
    };
  }

  /** Returns the limits of a stream that has this memory for its messages. */
  static Source of(PoolOptions messages, int maxElementBytes) {
    int count = messages.count();
    return system ->
        new StreamLimits(count, count, Optional.empty(), maxElementBytes, openDeadline(system));
  }

  /** Returns the time for which an engine, or the peer of a connection, may open something. */
  static Duration openDeadline(ActorSystem<?> system) {
    return system.settings().config().getDuration("dpu.engine.open-deadline");
  }
}
