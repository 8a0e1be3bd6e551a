package io.dpuactors.protocol;

import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.BackoffSupervisorStrategy;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.RestartSupervisorStrategy;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * Options of a {@code ComchClient}.
 *
 * @param service name of the server
 * @param device PCI address on the host's side; empty: the first device that supports clients
 * @param connection options of the connection
 * @param behavior behavior on the connection; empty: the program uses {@link ConnectionProtocol}
 * @param supervision strategy without a server or after its loss: {@code stop} (default) ends the
 *     client; {@code restartWithBackoff} connects again, also after a failed first attempt
 * @param listener is notified of connects and losses
 */
public record ClientOptions(
    String service,
    Optional<String> device,
    ConnectionOptions connection,
    Optional<ConnectionBehavior> behavior,
    SupervisorStrategy supervision,
    Optional<ActorRef<ClientEvent>> listener) {

  /** Returns options for a service, on the first device that supports clients. */
  public static ClientOptions of(String service) {
    return new ClientOptions(
        service,
        Optional.empty(),
        ConnectionOptions.defaults(),
        Optional.empty(),
        SupervisorStrategy.stop(),
        Optional.empty());
  }

  /** Returns whether the strategy restarts the client without a server or after its loss. */
  public boolean restarts() {
    return restarts(supervision);
  }

  /** Returns whether a strategy restarts an actor. */
  static boolean restarts(SupervisorStrategy strategy) {
    return strategy instanceof RestartSupervisorStrategy
        || strategy instanceof BackoffSupervisorStrategy;
  }

  /** Returns these options for one device. */
  public ClientOptions onDevice(String pciAddress) {
    return new ClientOptions(
        service, Optional.of(pciAddress), connection, behavior, supervision, listener);
  }

  /** Returns these options with other options of the connection. */
  public ClientOptions withConnection(ConnectionOptions options) {
    return new ClientOptions(service, device, options, behavior, supervision, listener);
  }

  /** Returns these options with a behavior on the connection. */
  public ClientOptions withBehavior(ConnectionBehavior served) {
    return new ClientOptions(
        service, device, connection, Optional.of(served), supervision, listener);
  }

  /**
   * Returns these options with a behavior on the connection that has a protocol of the program.
   *
   * @param <M> messages of the behavior
   * @param event makes a message of an event of the connection
   * @param served creates the behavior
   */
  public <M> ClientOptions withBehavior(
      Function<ConnectionEvent, M> event,
      Function<ActorRef<ConnectionProtocol.Command>, Behavior<M>> served) {
    return withBehavior(ConnectionBehavior.of(event, served));
  }

  /** Returns these options with another strategy for losses. The engine refuses {@code resume}. */
  public ClientOptions withSupervision(SupervisorStrategy strategy) {
    return new ClientOptions(service, device, connection, behavior, strategy, listener);
  }

  /** Returns these options with a listener for connects and losses. */
  public ClientOptions withListener(ActorRef<ClientEvent> receiver) {
    return new ClientOptions(
        service, device, connection, behavior, supervision, Optional.of(receiver));
  }
}
