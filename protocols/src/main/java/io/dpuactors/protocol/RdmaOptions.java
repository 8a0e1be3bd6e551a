package io.dpuactors.protocol;

import io.dpuactors.bridge.Permission;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * Options of an {@code RdmaContext}. The configuration below {@code dpu.rdma} replaces empty
 * values.
 *
 * @param device PCI address; empty: the first device that supports RDMA
 * @param permissions what peers may do with memory that allows it too: {@link
 *     Permission#RDMA_READ}, {@link Permission#RDMA_WRITE}, {@link Permission#RDMA_ATOMIC}
 * @param tasks number of tasks of all connections that the device holds
 * @param window number of tasks of one connection that the device holds
 * @param receives number of posted receives, for the messages of all connections
 * @param receiveBytes size of each receive in bytes: a longer message fails
 * @param share number of messages of one connection that may wait for their reader; a connection
 *     with more is closed
 * @param maxConnections number of connections at the same time
 * @param supervision strategy for a failure of the context
 */
public record RdmaOptions(
    Optional<String> device,
    Set<Permission> permissions,
    OptionalInt tasks,
    OptionalInt window,
    OptionalInt receives,
    OptionalInt receiveBytes,
    OptionalInt share,
    OptionalInt maxConnections,
    Optional<SupervisorStrategy> supervision) {

  /** Copies the set. */
  public RdmaOptions {
    permissions = Set.copyOf(permissions);
  }

  /** Returns options with configured values, on the first device; peers may access no memory. */
  public static RdmaOptions defaults() {
    return new RdmaOptions(
        Optional.empty(),
        Set.of(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty());
  }

  /** Returns these options for one device. */
  public RdmaOptions onDevice(String pciAddress) {
    return new RdmaOptions(
        Optional.of(pciAddress),
        permissions,
        tasks,
        window,
        receives,
        receiveBytes,
        share,
        maxConnections,
        supervision);
  }

  /** Returns these options with other permissions of peers. */
  public RdmaOptions withPermissions(Permission... ofPeers) {
    return new RdmaOptions(
        device,
        Set.of(ofPeers),
        tasks,
        window,
        receives,
        receiveBytes,
        share,
        maxConnections,
        supervision);
  }

  /** Returns these options with another number of tasks in flight over all connections. */
  public RdmaOptions withTasks(int ofAll) {
    return new RdmaOptions(
        device,
        permissions,
        OptionalInt.of(ofAll),
        window,
        receives,
        receiveBytes,
        share,
        maxConnections,
        supervision);
  }

  /** Returns these options with another number of tasks in flight per connection. */
  public RdmaOptions withWindow(int ofOne) {
    return new RdmaOptions(
        device,
        permissions,
        tasks,
        OptionalInt.of(ofOne),
        receives,
        receiveBytes,
        share,
        maxConnections,
        supervision);
  }

  /** Returns these options with other receives. */
  public RdmaOptions withReceives(int count, int bytes) {
    return new RdmaOptions(
        device,
        permissions,
        tasks,
        window,
        OptionalInt.of(count),
        OptionalInt.of(bytes),
        share,
        maxConnections,
        supervision);
  }

  /** Returns these options with another number of messages that may wait per connection. */
  public RdmaOptions withShare(int messages) {
    return new RdmaOptions(
        device,
        permissions,
        tasks,
        window,
        receives,
        receiveBytes,
        OptionalInt.of(messages),
        maxConnections,
        supervision);
  }

  /** Returns these options with another limit of connections. */
  public RdmaOptions withMaxConnections(int limit) {
    return new RdmaOptions(
        device,
        permissions,
        tasks,
        window,
        receives,
        receiveBytes,
        share,
        OptionalInt.of(limit),
        supervision);
  }

  /**
   * Returns these options with another supervisor strategy: see {@link
   * TaskOptions#withSupervision}.
   */
  public RdmaOptions withSupervision(SupervisorStrategy strategy) {
    return new RdmaOptions(
        device,
        permissions,
        tasks,
        window,
        receives,
        receiveBytes,
        share,
        maxConnections,
        Optional.of(strategy));
  }
}
