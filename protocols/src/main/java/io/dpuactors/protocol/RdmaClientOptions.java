package io.dpuactors.protocol;

import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * Options of an {@code RdmaClient}.
 *
 * @param host IPv4 or IPv6 address of the listener's device, in digits; a loopback address names
 *     all devices of this host
 * @param port of the listener
 * @param behavior behavior on the connection; empty: the program uses {@link
 *     RdmaConnectionProtocol}
 * @param supervision strategy without a listener or after a loss: {@code stop} (default) ends the
 *     client; {@code restartWithBackoff} connects again, also after a failed first attempt
 * @param listener is notified of connects and losses
 */
public record RdmaClientOptions(
    String host,
    int port,
    Optional<PeerBehavior> behavior,
    SupervisorStrategy supervision,
    Optional<ActorRef<RdmaClientEvent>> listener) {

  /** Returns options for an address. */
  public static RdmaClientOptions of(String host, int port) {
    return new RdmaClientOptions(
        host, port, Optional.empty(), SupervisorStrategy.stop(), Optional.empty());
  }

  /** Returns whether the strategy restarts the client without a listener or after a loss. */
  public boolean restarts() {
    return ClientOptions.restarts(supervision);
  }

  /** Returns these options with a behavior on the connection. */
  public RdmaClientOptions withBehavior(PeerBehavior served) {
    return new RdmaClientOptions(host, port, Optional.of(served), supervision, listener);
  }

  /** Returns these options with another strategy for losses. The context refuses {@code resume}. */
  public RdmaClientOptions withSupervision(SupervisorStrategy strategy) {
    return new RdmaClientOptions(host, port, behavior, strategy, listener);
  }

  /** Returns these options with a listener for connects and losses. */
  public RdmaClientOptions withListener(ActorRef<RdmaClientEvent> receiver) {
    return new RdmaClientOptions(host, port, behavior, supervision, Optional.of(receiver));
  }
}
