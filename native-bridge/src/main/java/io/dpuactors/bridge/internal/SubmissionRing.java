package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.jna.RingLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Entries for the device. The entries wait here until the next {@link ProgressEngine#enter}.
 * Thread: the engine's.
 *
 * <p>Positions are free-running 32-bit counters; the index of an entry is its position modulo the
 * capacity. Java owns the tail.
 */
public final class SubmissionRing {
  /** Largest immediate data of a buffer, in bytes. */
  public static final int MAX_IMMEDIATE_BYTES = RingLayout.IMMEDIATE_BYTES;

  private final ProgressEngine engine;
  private final ByteBuffer memory;
  private final int capacity;
  private final PeerSubmissions toPeers = new PeerSubmissions(this);
  private int tail;

  SubmissionRing(ProgressEngine engine, ByteBuffer memory, int capacity) {
    this.engine = engine;
    this.memory = memory;
    this.capacity = capacity;
    this.tail = memory.getInt(RingLayout.SUBMISSION_TAIL);
  }

  /** Returns the number of free entries. */
  public int free() {
    engine.checkUse("free");
    return capacity - (tail - memory.getInt(RingLayout.SUBMISSION_HEAD));
  }

  /** Returns the methods that append tasks of RDMA contexts. */
  public PeerSubmissions toPeers() {
    return toPeers;
  }

  /**
   * Appends a task that reads the content of {@code src} and writes {@code dst} from its beginning.
   * Both buffers stay leased and belong to the device until the record with this user data arrives.
   * Allocates nothing.
   *
   * <p>Either buffer may be the head of a chain, which must be lent from before this call until the
   * record.
   *
   * @param userData the record repeats it
   * @param context {@link DocaContext#handle}
   * @param src null for kinds that need no source
   * @param dst null for kinds that need no destination
   * @param argument depends on the kind. LZ4 streams: bit 0 blocks have checksums, bit 1 blocks are
   *     independent; else 0
   * @return false if the ring is full and nothing was appended
   * @throws IllegalStateException if a buffer is not leased, or in a chain that is not lent
   */
  public boolean offer(
      long userData,
      int context,
      TaskKind kind,
      @Nullable Buffer src,
      @Nullable Buffer dst,
      long argument) {
    if (free() == 0) {
      return false;
    }
    if (src != null) {
      src.prepare("offer", true);
    }
    if (dst != null) {
      dst.prepare("offer", false);
    }
    int at = begin(userData, context, kind, 0);
    if (src == null) {
      source(at, 0, 0, 0);
    } else {
      source(at, src.pointer(), src.address(), src.length());
    }
    if (dst == null) {
      destination(at, 0, 0);
    } else {
      destination(at, dst.pointer(), dst.address());
    }
    memory.putLong(at + RingLayout.ENTRY_ARGUMENT, argument);
    end();
    return true;
  }

  /**
   * Appends a batch that has {@link TaskBatch#begin begun}. The batch has one record: TASK_DONE
   * after every task has its result, or REFUSED if no task was submitted. Allocates nothing.
   *
   * @param userData the record repeats it
   * @param context {@link DocaContext#handle}
   * @return false if the ring is full and nothing was appended
   */
  public boolean offerBatch(long userData, int context, TaskKind kind, TaskBatch batch) {
    if (free() == 0) {
      return false;
    }
    int at = begin(userData, context, kind, RingLayout.FLAG_BATCH);
    source(at, 0, batch.address(), 0);
    destination(at, 0, 0);
    memory.putLong(at + RingLayout.ENTRY_ARGUMENT, batch.argument());
    end();
    return true;
  }

  /**
   * Appends a message of a server or client. The bytes of the message must not move or change until
   * the record with this user data arrives. Allocates nothing.
   *
   * @param userData the record repeats it
   * @param context {@link DocaContext#handle} of the server or client
   * @param kind {@link TaskKind#COMCH_SERVER_SEND} or {@link TaskKind#COMCH_CLIENT_SEND}
   * @param connection destination; NOT_CONNECTED refuses a task for a closed connection
   * @param address of the message, from {@link NativeCells#address}
   * @param length bytes of the message
   * @return false if the ring is full and nothing was appended
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
   * Appends a send of a producer, which fills one posted buffer of the consumer. The source stays
   * leased and belongs to the device, and the immediate data must not move, until the record with
   * this user data arrives. Without a posted buffer the task waits, as {@link DocaContext#queue}
   * describes. Allocates nothing.
   *
   * @param userData the record repeats it
   * @param context {@link DocaContext#handle} of the producer
   * @param src the source; null for immediate data alone
   * @param immediateAddress address of the immediate data; 0 without any
   * @param immediateBytes size of the immediate data, 0 to {@link #MAX_IMMEDIATE_BYTES}
   * @param consumer id from a record of {@link RecordType#CONSUMER_NEW}
   * @return false if the ring is full and nothing was appended
   * @throws IllegalStateException if the buffer is not leased
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

  /**
   * Appends a task of a sync event. The record of the task has a number as {@link
   * CompletionRing#produced}. Allocates nothing.
   *
   * @param userData the record repeats it
   * @param context {@link DocaContext#handle} of the event
   * @param kind one of the kinds that begin with {@code EVENT}
   * @param value the value to set, to add or to compare with
   * @param mask mask of a task that waits; 0 for other kinds
   * @return false if the ring is full and nothing was appended
   */
  public boolean offerEvent(long userData, int context, TaskKind kind, long value, long mask) {
    if (free() == 0) {
      return false;
    }
    int at = begin(userData, context, kind, 0);
    source(at, 0, 0, mask);
    destination(at, 0, 0);
    memory.putLong(at + RingLayout.ENTRY_ARGUMENT, value);
    end();
    return true;
  }

  /** Begins the next entry and returns its offset. */
  private int begin(long userData, int context, TaskKind kind, int flags) {
    int at = RingLayout.HEADER_BYTES + (tail & (capacity - 1)) * RingLayout.ENTRY_BYTES;
    memory.putLong(at + RingLayout.ENTRY_USER_DATA, userData);
    memory.putInt(at + RingLayout.ENTRY_CONTEXT, context);
    memory.putShort(at + RingLayout.ENTRY_KIND, (short) kind.value());
    memory.putShort(at + RingLayout.ENTRY_FLAGS, (short) flags);
    return at;
  }

  /** Replaces a field of the last entry. Called before the next {@link ProgressEngine#enter}. */
  void replace(int field, long value) {
    int last = RingLayout.HEADER_BYTES + ((tail - 1) & (capacity - 1)) * RingLayout.ENTRY_BYTES;
    memory.putLong(last + field, value);
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

  /** Completes the entry. */
  private void end() {
    tail++;
    memory.putInt(RingLayout.SUBMISSION_TAIL, tail);
  }
}
