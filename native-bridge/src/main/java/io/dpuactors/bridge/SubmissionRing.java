package io.dpuactors.bridge;

import java.nio.ByteBuffer;

/**
 * Tasks on their way to the device: entries wait here until the next {@link ProgressEngine#enter}.
 * Thread: the engine's.
 *
 * <p>Positions run freely over 32 bits; an entry's place is its position modulo the capacity. This
 * side owns the tail.
 */
public final class SubmissionRing {
  private final ProgressEngine engine;
  private final ByteBuffer memory;
  private final int capacity;
  private int tail;

  SubmissionRing(ProgressEngine engine, ByteBuffer memory, int capacity) {
    this.engine = engine;
    this.memory = memory;
    this.capacity = capacity;
    this.tail = memory.getInt(RingLayout.SUBMISSION_TAIL);
  }

  /** How many entries fit at the moment. */
  public int free() {
    engine.checkUse("free");
    return capacity - (tail - memory.getInt(RingLayout.SUBMISSION_HEAD));
  }

  /**
   * Appends a task. It reads the content of {@code src} and writes into {@code dst} from its
   * beginning; both stay leased, and are the device's, until the record with this user data
   * arrives. Allocates nothing.
   *
   * @param userData comes back in the record
   * @param context {@link DocaContext#handle}
   * @param argument depends on the kind. LZ4 streams: bit 0 blocks have checksums, bit 1 blocks are
   *     independent; else 0
   * @return false when the ring is full: nothing was appended
   * @throws IllegalStateException when a buffer is not leased
   */
  public boolean offer(
      long userData, int context, TaskKind kind, Buffer src, Buffer dst, long argument) {
    if (free() == 0) {
      return false;
    }
    src.checkLeased("offer");
    dst.checkLeased("offer");
    int at = RingLayout.HEADER_BYTES + (tail & (capacity - 1)) * RingLayout.ENTRY_BYTES;
    memory.putLong(at + RingLayout.ENTRY_USER_DATA, userData);
    memory.putInt(at + RingLayout.ENTRY_CONTEXT, context);
    memory.putShort(at + RingLayout.ENTRY_KIND, (short) kind.value());
    memory.putShort(at + RingLayout.ENTRY_FLAGS, (short) 0);
    memory.putLong(at + RingLayout.ENTRY_SRC_BUF, src.pointer());
    memory.putLong(at + RingLayout.ENTRY_SRC_ADDR, src.address());
    memory.putLong(at + RingLayout.ENTRY_SRC_LEN, src.length());
    memory.putLong(at + RingLayout.ENTRY_DST_BUF, dst.pointer());
    memory.putLong(at + RingLayout.ENTRY_DST_ADDR, dst.address());
    memory.putLong(at + RingLayout.ENTRY_ARGUMENT, argument);
    tail++;
    memory.putInt(RingLayout.SUBMISSION_TAIL, tail);
    return true;
  }
}
