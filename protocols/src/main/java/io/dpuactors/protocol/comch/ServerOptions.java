package io.dpuactors.protocol.comch;

import java.util.Optional;
import java.util.OptionalInt;

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
