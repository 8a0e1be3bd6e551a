package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.jna.RingLayout;
import org.jspecify.annotations.Nullable;

/**
 * Entries of RDMA contexts in a {@link SubmissionRing}. The buffers of an entry stay leased and
 * belong to the device until the record with its user data arrives. A record of NOT_CONNECTED
 * answers a task for an ended connection. No method allocates. Thread: the engine's.
 */
public final class PeerSubmissions {
  private final SubmissionRing ring;

  PeerSubmissions(SubmissionRing ring) {
    this.ring = ring;
  }

  /**
   * Appends a receive of an RDMA context: a buffer for one message of any of its peers.
   *
   * @return false if the ring is full and nothing was appended
   */
  public boolean offerReceive(long userData, int context, Buffer dst) {
    return ring.offer(userData, context, TaskKind.RDMA_RECEIVE, null, dst, 0);
  }

  /**
   * Appends a task on an RDMA connection.
   *
   * @param src the source; null for a message without bytes
   * @param dst the destination; null for a message
   * @param immediate of the kinds with immediate data, else 0
   * @return false if the ring is full and nothing was appended
   */
  public boolean offer(
      long userData,
      int context,
      TaskKind kind,
      @Nullable Buffer src,
      @Nullable Buffer dst,
      int connection,
      int immediate) {
    long argument = (long) immediate << Integer.SIZE | Integer.toUnsignedLong(connection);
    return ring.offer(userData, context, kind, src, dst, argument);
  }

  /**
   * Appends an atomic task on an RDMA connection.
   *
   * @param number the peer's number
   * @param before receives the old number
   * @param operands address of a {@code struct dpubridge_atomic}, which must not change until the
   *     record with this user data arrives
   * @return false if the ring is full and nothing was appended
   */
  public boolean offerAtomic(
      long userData,
      int context,
      TaskKind kind,
      Buffer number,
      Buffer before,
      int connection,
      long operands) {
    if (!offer(userData, context, kind, number, before, connection, 0)) {
      return false;
    }
    ring.replace(RingLayout.ENTRY_SRC_LEN, operands);
    return true;
  }

  /**
   * Appends a task on a sync event of the peer. The record of the task has the value, or the value
   * before an addition, as {@link CompletionRing#produced}.
   *
   * @param kind one of {@link RemoteEvents#kinds}
   * @param number local memory of 8 bytes with the value to set; of other kinds for the result
   * @param event pointer of the {@link RemoteEvents#open opened} event
   * @param summand of the kind that adds, else 0
   * @return false if the ring is full and nothing was appended
   */
  public boolean offerEvent(
      long userData,
      int context,
      TaskKind kind,
      Buffer number,
      int connection,
      long event,
      long summand) {
    boolean sets = kind == TaskKind.RDMA_EVENT_SET;
    Buffer src = sets ? number : null;
    Buffer dst = sets ? null : number;
    if (!offer(userData, context, kind, src, dst, connection, 0)) {
      return false;
    }
    if (sets) {
      ring.replace(RingLayout.ENTRY_DST_ADDR, event);
    } else {
      ring.replace(RingLayout.ENTRY_SRC_ADDR, event);
      ring.replace(RingLayout.ENTRY_SRC_LEN, summand);
    }
    return true;
  }
}
