package io.dpuactors.protocol;

import java.util.Arrays;
import java.util.Optional;

/**
 * Options of a sync event.
 *
 * @param tasks device, kinds, window, queue, deadline and supervision; {@code dpu.sync-event}
 *     replaces empty values
 * @param publisher the side that changes the value; a hint for the device, and a condition of
 *     {@link SyncEventProtocol.Share}
 * @param subscriber the side that reads the value and waits; a hint for the device
 * @param description of an event of the other side, from {@link SyncEventProtocol.Exported}; empty:
 *     a new event with the value 0
 */
@SuppressWarnings("ArrayRecordComponent") // no code compares options
public record SyncEventOptions(
    TaskOptions tasks, Side publisher, Side subscriber, Optional<byte[]> description) {
  /** A side of the PCI bus, or of a network. */
  public enum Side {
    /** The side of this program. */
    OWN,
    /** The other side of the PCI bus. */
    PEER,
    /** Peers of RDMA connections. Peers change values, and do not wait for them. */
    RDMA_PEER
  }

  /** Checks the subscriber. */
  public SyncEventOptions {
    if (subscriber == Side.RDMA_PEER) {
      throw new IllegalArgumentException("an RDMA peer cannot wait for the value of an event");
    }
  }

  /** Returns options of a new event that this program changes and reads. */
  public static SyncEventOptions defaults() {
    return new SyncEventOptions(TaskOptions.defaults(), Side.OWN, Side.OWN, Optional.empty());
  }

  /** Returns options of the event that the other side of the PCI bus has described. */
  public static SyncEventOptions imported(byte[] description) {
    return new SyncEventOptions(
        TaskOptions.defaults(),
        Side.OWN,
        Side.OWN,
        Optional.of(Arrays.copyOf(description, description.length)));
  }

  /** Returns these options with others of the tasks. */
  public SyncEventOptions withTasks(TaskOptions options) {
    return new SyncEventOptions(options, publisher, subscriber, description);
  }

  /** Returns these options of a new event that the other side changes. */
  public SyncEventOptions publishedByPeer() {
    return new SyncEventOptions(tasks, Side.PEER, subscriber, description);
  }

  /** Returns these options of a new event that peers of RDMA connections change. */
  public SyncEventOptions publishedByRdmaPeer() {
    return new SyncEventOptions(tasks, Side.RDMA_PEER, subscriber, description);
  }

  /** Returns these options of a new event that the other side reads. */
  public SyncEventOptions readByPeer() {
    return new SyncEventOptions(tasks, publisher, Side.PEER, description);
  }
}
