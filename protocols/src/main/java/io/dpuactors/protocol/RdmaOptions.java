package io.dpuactors.protocol;

import io.dpuactors.bridge.Permission;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
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
    return with(copy -> copy.device = Optional.of(pciAddress));
  }

  /** Returns these options with other permissions of peers. */
  public RdmaOptions withPermissions(Permission... ofPeers) {
    return with(copy -> copy.permissions = Set.of(ofPeers));
  }

  /** Returns these options with another number of tasks in flight over all connections. */
  public RdmaOptions withTasks(int ofAll) {
    return with(copy -> copy.tasks = OptionalInt.of(ofAll));
  }

  /** Returns these options with another number of tasks in flight per connection. */
  public RdmaOptions withWindow(int ofOne) {
    return with(copy -> copy.window = OptionalInt.of(ofOne));
  }

  /** Returns these options with other receives. */
  public RdmaOptions withReceives(int count, int bytes) {
    return with(
        copy -> {
          copy.receives = OptionalInt.of(count);
          copy.receiveBytes = OptionalInt.of(bytes);
        });
  }

  /** Returns these options with another number of messages that may wait per connection. */
  public RdmaOptions withShare(int messages) {
    return with(copy -> copy.share = OptionalInt.of(messages));
  }

  /** Returns these options with another limit of connections. */
  public RdmaOptions withMaxConnections(int limit) {
    return with(copy -> copy.maxConnections = OptionalInt.of(limit));
  }

  /**
   * Returns these options with another supervisor strategy: see {@link
   * TaskOptions#withSupervision}.
   */
  public RdmaOptions withSupervision(SupervisorStrategy strategy) {
    return with(copy -> copy.supervision = Optional.of(strategy));
  }

  private RdmaOptions with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.options();
  }

  /** The values of options while {@link #with} changes them. */
  private static final class Copy {
    private Optional<String> device;
    private Set<Permission> permissions;
    private OptionalInt tasks;
    private OptionalInt window;
    private OptionalInt receives;
    private OptionalInt receiveBytes;
    private OptionalInt share;
    private OptionalInt maxConnections;
    private Optional<SupervisorStrategy> supervision;

    private Copy(RdmaOptions from) {
      device = from.device;
      permissions = from.permissions;
      tasks = from.tasks;
      window = from.window;
      receives = from.receives;
      receiveBytes = from.receiveBytes;
      share = from.share;
      maxConnections = from.maxConnections;
      supervision = from.supervision;
    }

    private RdmaOptions options() {
      return new RdmaOptions(
          device,
          permissions,
          tasks,
          window,
          receives,
          receiveBytes,
          share,
          maxConnections,
          supervision);
    }
  }
}
