package io.dpuactors.bridge;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Tasks on their way to the device: entries wait here until the next {@link ProgressEngine#enter}.
 * Thread: the engine's.
 *
 * <p>Positions run freely over 32 bits; an entry's place is its position modulo the capacity. This
 * side owns the tail.
 */
public final class SubmissionRing {
  /** Most immediate data that travels beside a buffer. */
  public static final int MAX_IMMEDIATE_BYTES = 32;

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
   * <p>Either may be the head of a chain, which must be lent from before this until the record.
   *
   * @param userData comes back in the record
   * @param context {@link DocaContext#handle}
   * @param argument depends on the kind. LZ4 streams: bit 0 blocks have checksums, bit 1 blocks are
   *     independent; else 0
   * @return false when the ring is full: nothing was appended
   * @throws IllegalStateException when a buffer is not leased, or in a chain that is not lent
   */
  public boolean offer(
      long userData, int context, TaskKind kind, Buffer src, Buffer dst, long argument) {
    if (free() == 0) {
      return false;
    }
    src.prepare("offer", true);
    dst.prepare("offer", false);
    int at = begin(userData, context, kind, 0);
    source(at, src.pointer(), src.address(), src.length());
    destination(at, dst.pointer(), dst.address());
    memory.putLong(at + RingLayout.ENTRY_ARGUMENT, argument);
    end();
    return true;
  }

  /**
   * Appends a batch that has {@link Batch#begin begun}, or was refused with AGAIN and goes on where
   * it was. Its one record is TASK_DONE when every task has its result. Allocates nothing.
   *
   * @param userData comes back in the record
   * @param context {@link DocaContext#handle}; {@link DocaContext#queue} gave it room
   * @return false when the ring is full: nothing was appended
   */
  public boolean offerBatch(long userData, int context, TaskKind kind, TaskBatch batch) {
    return offerBatchAt(userData, context, kind, batch.address(), 0);
  }

  private boolean offerBatchAt(
      long userData, int context, TaskKind kind, long address, long argument) {
    if (free() == 0) {
      return false;
    }
    int at = begin(userData, context, kind, RingLayout.FLAG_BATCH);
    source(at, 0, address, 0);
    destination(at, 0, 0);
    memory.putLong(at + RingLayout.ENTRY_ARGUMENT, argument);
    end();
    return true;
  }

  /**
   * Appends a message of a server or client. Its bytes stay where they are, unchanged, until the
   * record with this user data arrives. Allocates nothing.
   *
   * @param userData comes back in the record
   * @param context {@link DocaContext#handle} of the server or client
   * @param kind {@link TaskKind#COMCH_SERVER_SEND} or {@link TaskKind#COMCH_CLIENT_SEND}
   * @param connection to whom; when it is gone the task is refused with NOT_CONNECTED
   * @param address where the message begins, as {@link NativeCells#address} tells it
   * @param length bytes of the message
   * @return false when the ring is full: nothing was appended
   */
  public boolean offerMessage(
      long userData, int context, TaskKind kind, int connection, long address, int length) {
    if (kind != TaskKind.COMCH_SERVER_SEND && kind != TaskKind.COMCH_CLIENT_SEND) {
      throw new IllegalArgumentException("offerMessage: " + kind + " sends no messages");
    }
    if (address == 0 || length < 0) {
      throw new IllegalArgumentException(
          "offerMessage: " + length + " bytes at address " + address);
    }
    if (free() == 0) {
      return false;
    }
    int at = begin(userData, context, kind, 0);
    source(at, 0, address, length);
    destination(at, 0, 0);
    memory.putLong(at + RingLayout.ENTRY_ARGUMENT, Integer.toUnsignedLong(connection));
    end();
    return true;
  }

  /**
   * Appends a receive of a consumer: posts a buffer that one producer fills from its beginning. It
   * stays leased, and is the device's, until the record with this user data arrives. Allocates
   * nothing.
   *
   * @param userData comes back in the record
   * @param context {@link DocaContext#handle} of the consumer
   * @param dst of the memory that the consumer was created with
   * @return false when the ring is full: nothing was appended
   * @throws IllegalStateException when the buffer is not leased
   */
  public boolean offerReceive(long userData, int context, Buffer dst) {
    if (free() == 0) {
      return false;
    }
    dst.prepare("offerReceive", false);
    int at = begin(userData, context, TaskKind.COMCH_CONSUMER_RECV, 0);
    source(at, 0, 0, 0);
    destination(at, dst.pointer(), dst.address());
    memory.putLong(at + RingLayout.ENTRY_ARGUMENT, 0);
    end();
    return true;
  }

  /**
   * Appends the receives of a batch that has {@link Batch#begin begun}, or was refused with AGAIN
   * and goes on where it was. Its one record is TASK_DONE when every buffer has its result.
   * Allocates nothing.
   *
   * @param userData comes back in the record
   * @param context {@link DocaContext#handle} of the consumer; {@link DocaContext#queue} gave it
   *     room
   * @return false when the ring is full: nothing was appended
   */
  public boolean offerReceives(long userData, int context, ReceiveBatch batch) {
    return offerBatchAt(userData, context, TaskKind.COMCH_CONSUMER_RECV, batch.address(), 0);
  }

  /**
   * Appends the sends of a batch that has {@link Batch#begin begun}, or was refused with AGAIN and
   * goes on where it was. Its one record is TASK_DONE when every buffer has its result. Allocates
   * nothing.
   *
   * @param userData comes back in the record
   * @param context {@link DocaContext#handle} of the producer; {@link DocaContext#queue} gave it
   *     room
   * @return false when the ring is full: nothing was appended
   */
  public boolean offerProduces(long userData, int context, SendBatch batch) {
    return offerBatchAt(
        userData,
        context,
        TaskKind.COMCH_PRODUCER_SEND,
        batch.address(),
        Integer.toUnsignedLong(batch.consumer()));
  }

  /**
   * Appends a send of a producer: fills one buffer that the consumer has posted. The buffer stays
   * leased, and is the device's, and the immediate data stays where it is, until the record with
   * this user data arrives; a task that finds nothing posted is refused with AGAIN. Allocates
   * nothing.
   *
   * @param userData comes back in the record
   * @param context {@link DocaContext#handle} of the producer
   * @param src what is sent; null for immediate data alone
   * @param immediateAddress where the immediate data begins; 0 when there is none
   * @param immediateBytes how much there is, 0 to {@link #MAX_IMMEDIATE_BYTES}
   * @param consumer as a record of {@link RecordType#CONSUMER_NEW} names it
   * @return false when the ring is full: nothing was appended
   * @throws IllegalStateException when the buffer is not leased
   */
  public boolean offerProduce(
      long userData,
      int context,
      @Nullable Buffer src,
      long immediateAddress,
      int immediateBytes,
      int consumer) {
    checkImmediate(immediateAddress, immediateBytes);
    if (free() == 0) {
      return false;
    }
    if (src != null) {
      src.prepare("offerProduce", true);
    }
    int at = begin(userData, context, TaskKind.COMCH_PRODUCER_SEND, immediateBytes);
    if (src == null) {
      source(at, 0, 0, 0);
    } else {
      source(at, src.pointer(), src.address(), src.length());
    }
    destination(at, 0, immediateAddress);
    memory.putLong(at + RingLayout.ENTRY_ARGUMENT, Integer.toUnsignedLong(consumer));
    end();
    return true;
  }

  private static void checkImmediate(long address, int bytes) {
    if (bytes < 0 || bytes > MAX_IMMEDIATE_BYTES || (bytes > 0 && address == 0)) {
      throw new IllegalArgumentException(
          "offerProduce: " + bytes + " bytes of immediate data at address " + address);
    }
  }

  /** Begins the next entry; returns where it is. */
  private int begin(long userData, int context, TaskKind kind, int flags) {
    int at = RingLayout.HEADER_BYTES + (tail & (capacity - 1)) * RingLayout.ENTRY_BYTES;
    memory.putLong(at + RingLayout.ENTRY_USER_DATA, userData);
    memory.putInt(at + RingLayout.ENTRY_CONTEXT, context);
    memory.putShort(at + RingLayout.ENTRY_KIND, (short) kind.value());
    memory.putShort(at + RingLayout.ENTRY_FLAGS, (short) flags);
    return at;
  }

  private void source(int at, long buf, long address, long length) {
    memory.putLong(at + RingLayout.ENTRY_SRC_BUF, buf);
    memory.putLong(at + RingLayout.ENTRY_SRC_ADDR, address);
    memory.putLong(at + RingLayout.ENTRY_SRC_LEN, length);
  }

  private void destination(int at, long buf, long address) {
    memory.putLong(at + RingLayout.ENTRY_DST_BUF, buf);
    memory.putLong(at + RingLayout.ENTRY_DST_ADDR, address);
  }

  /** The entry is complete. */
  private void end() {
    tail++;
    memory.putInt(RingLayout.SUBMISSION_TAIL, tail);
  }
}
