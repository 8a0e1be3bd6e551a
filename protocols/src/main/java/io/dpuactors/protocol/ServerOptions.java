package io.dpuactors.protocol;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Options of a {@code ComchServer}. The configuration below {@code dpu.comch.server} replaces empty
 * values.
 *
 * @param service name that clients connect to
 * @param device PCI address on the DPU's side; empty: the first device that supports servers
 * @param representor PCI address of the clients' host function; empty: the device's first
 * @param maxConnections the server refuses further connections
 * @param connections options of each connection
 * @param behavior behavior on each connection
 */
public record ServerOptions(
    String service,
    Optional<String> device,
    Optional<String> representor,
    OptionalInt maxConnections,
    ConnectionOptions connections,
    ConnectionBehavior behavior) {

  /** Returns options of a service, on the first device that supports servers. */
  public static ServerOptions of(String service, ConnectionBehavior behavior) {
    return new ServerOptions(
        service,
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        ConnectionOptions.defaults(),
        behavior);
  }

  /** Returns options of a service whose connections close at once, until it has a behavior. */
  public static ServerOptions of(String service) {
    return of(service, connection -> Behaviors.stopped());
  }

  /**
   * Returns options of a service whose connections have a behavior with a protocol of the program.
   * The service runs on the first device that supports servers.
   *
   * @param <M> messages of the behavior
   * @param event makes a message of an event of the connection
   * @param behavior creates the behavior on a connection
   */
  public static <M> ServerOptions of(
      String service,
      Function<ConnectionEvent, M> event,
      Function<ActorRef<ConnectionProtocol.Command>, Behavior<M>> behavior) {
    return of(service, ConnectionBehavior.of(event, behavior));
  }

  /** Returns these options with another behavior on each connection. */
  public ServerOptions withBehavior(ConnectionBehavior served) {
    return new ServerOptions(service, device, representor, maxConnections, connections, served);
  }

  /** Returns these options for one device. */
  public ServerOptions onDevice(String pciAddress) {
    return new ServerOptions(
        service, Optional.of(pciAddress), representor, maxConnections, connections, behavior);
  }

  /** Returns these options for the clients of one host function. */
  public ServerOptions forHostFunction(String pciAddress) {
    return new ServerOptions(
        service, device, Optional.of(pciAddress), maxConnections, connections, behavior);
  }

  /** Returns these options with another limit of connections. */
  public ServerOptions withMaxConnections(int limit) {
    return new ServerOptions(
        service, device, representor, OptionalInt.of(limit), connections, behavior);
  }

  /** Returns these options with other options of connections. */
  public ServerOptions withConnections(ConnectionOptions options) {
    return new ServerOptions(service, device, representor, maxConnections, options, behavior);
  }
}
