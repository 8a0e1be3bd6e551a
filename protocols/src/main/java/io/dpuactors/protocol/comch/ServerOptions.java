package io.dpuactors.protocol.comch;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a {@code ComchServer} listens, and what it does with those who come. Whatever is left empty
 * comes from the configuration below {@code dpu.comch.server}.
 *
 * @param service the name that clients look for
 * @param device PCI address on the DPU's side; empty: the first device that can serve
 * @param representor PCI address of the host function that clients sit on; empty: the device's
 *     first
 * @param maxConnections more are refused
 * @param connections how each connection is treated
 * @param behavior what to do with each connection
 */
public record ServerOptions(
    String service,
    Optional<String> device,
    Optional<String> representor,
    OptionalInt maxConnections,
    ConnectionOptions connections,
    ConnectionBehavior behavior) {

  /** A service on the first device that can serve. */
  public static ServerOptions of(String service, ConnectionBehavior behavior) {
    return new ServerOptions(
        service,
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        ConnectionOptions.defaults(),
        behavior);
  }

  /** The same on a certain device. */
  public ServerOptions onDevice(String pciAddress) {
    return new ServerOptions(
        service, Optional.of(pciAddress), representor, maxConnections, connections, behavior);
  }

  /** The same for the clients of a certain host function. */
  public ServerOptions forHostFunction(String pciAddress) {
    return new ServerOptions(
        service, device, Optional.of(pciAddress), maxConnections, connections, behavior);
  }

  /** The same with so many connections at once. */
  public ServerOptions withMaxConnections(int limit) {
    return new ServerOptions(
        service, device, representor, OptionalInt.of(limit), connections, behavior);
  }

  /** The same with other connections. */
  public ServerOptions withConnections(ConnectionOptions options) {
    return new ServerOptions(service, device, representor, maxConnections, options, behavior);
  }
}
