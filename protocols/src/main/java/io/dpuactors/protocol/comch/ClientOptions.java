package io.dpuactors.protocol.comch;

import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.BackoffSupervisorStrategy;
import org.apache.pekko.actor.typed.RestartSupervisorStrategy;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * Whom a {@code ComchClient} connects to, and what it does then.
 *
 * @param service the name that the server listens on
 * @param device PCI address on the host's side; empty: the first device that can be a client
 * @param connection how the connection is treated
 * @param behavior what to do with it; empty: the client is used by {@link ConnectionProtocol} alone
 * @param supervision what happens when there is no server, or it is lost: {@code stop} (default)
 *     ends the client; {@code restartWithBackoff} lets it try again by itself, from the first
 *     attempt on
 * @param listener is told of connects and losses
 */
public record ClientOptions(
    String service,
    Optional<String> device,
    ConnectionOptions connection,
    Optional<ConnectionBehavior> behavior,
    SupervisorStrategy supervision,
    Optional<ActorRef<ClientEvent>> listener) {

  /** A client of this service on the first device that can be one. */
  public static ClientOptions of(String service) {
    return new ClientOptions(
        service,
        Optional.empty(),
        ConnectionOptions.defaults(),
        Optional.empty(),
        SupervisorStrategy.stop(),
        Optional.empty());
  }

  /** Whether the strategy lets the client try again when there is no server, or it is lost. */
  public boolean comesBack() {
    return supervision instanceof RestartSupervisorStrategy
        || supervision instanceof BackoffSupervisorStrategy;
  }

  /** The same on a certain device. */
  public ClientOptions onDevice(String pciAddress) {
    return new ClientOptions(
        service, Optional.of(pciAddress), connection, behavior, supervision, listener);
  }

  /** The same with another connection. */
  public ClientOptions withConnection(ConnectionOptions options) {
    return new ClientOptions(service, device, options, behavior, supervision, listener);
  }

  /** The same with something to do on the connection. */
  public ClientOptions withBehavior(ConnectionBehavior served) {
    return new ClientOptions(
        service, device, connection, Optional.of(served), supervision, listener);
  }

  /** The same under another strategy for losses. */
  public ClientOptions withSupervision(SupervisorStrategy strategy) {
    return new ClientOptions(service, device, connection, behavior, strategy, listener);
  }

  /** The same with somebody who is told of connects and losses. */
  public ClientOptions withListener(ActorRef<ClientEvent> told) {
    return new ClientOptions(service, device, connection, behavior, supervision, Optional.of(told));
  }
}
