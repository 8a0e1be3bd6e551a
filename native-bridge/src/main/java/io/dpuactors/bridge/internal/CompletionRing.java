package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.jna.RingLayout;
import java.nio.ByteBuffer;

/**
 * Answers and events of the device. Thread: the engine's.
 *
 * <p>During {@link #drain} this object is the view of the current record, so that a record needs no
 * allocation. The accessors of a record throw outside of {@link RecordHandler#onRecord}.
 */
public final class CompletionRing {
  private static final int NO_RECORD = -1;
  private static final int NEXT_STATE_MASK = 0xffff;
  private static final int BYTE_MASK = 0xff;

  /**
   * Handles one record. A handler may offer tasks, start and stop contexts, and enter the engine to
   * submit, but must not drain or close the engine.
   */
  @FunctionalInterface
  public interface RecordHandler {
    /**
     * Called once for each record in the order of arrival. The view is valid only during the call.
     */
    void onRecord(CompletionRing record);
  }

  private final ProgressEngine engine;
  private final ByteBuffer memory;
  private final int base;
  private final int mask;
  private final MessageCells messages;
  private int head;
  private int current = NO_RECORD;

  CompletionRing(ProgressEngine engine, ByteBuffer memory, int base, int capacity) {
    this.engine = engine;
    this.memory = memory;
    this.base = base;
    this.mask = capacity - 1;
    this.messages = new MessageCells(memory, base + capacity * RingLayout.RECORD_BYTES);
    this.head = memory.getInt(RingLayout.COMPLETION_HEAD);
  }

  /** Returns the number of waiting records. */
  public int size() {
    engine.checkUse("size");
    return memory.getInt(RingLayout.COMPLETION_TAIL) - head;
  }

  /**
   * Passes waiting records to a handler. A record whose handler throws is consumed; the next drain
   * continues behind it.
   *
   * @param limit largest number of records
   * @return number of records drained
   */
  public int drain(RecordHandler handler, int limit) {
    int count = Math.min(size(), limit);
    if (current != NO_RECORD) {
      throw new IllegalStateException("drain: called by the handler of a record");
    }
    try {
      for (int i = 0; i < count; i++) {
        current = base + (head & mask) * RingLayout.RECORD_BYTES;
        head++;
        hand(handler);
      }
    } finally {
      current = NO_RECORD;
      memory.putInt(RingLayout.COMPLETION_HEAD, head);
    }
    return Math.max(0, count);
  }

  /**
   * Checks that no handler of a record runs: it reads memory that the operation would free.
   *
   * @throws DocaException BAD_STATE while a handler runs
   */
  void checkNoHandlerRuns(String operation) {
    if (current != NO_RECORD) {
      throw new DocaException(operation, DocaCode.BAD_STATE, "called by the handler of a record");
    }
  }

  /** A failed handler must not keep the cell of its message. */
  private void hand(RecordHandler handler) {
    boolean holdsCell = isMessage();
    try {
      handler.onRecord(this);
    } finally {
      if (holdsCell) {
        messages.free();
      }
    }
  }

  private boolean isMessage() {
    return rawType() == RecordType.MESSAGE.value();
  }

  /**
   * Returns the user data that {@link SubmissionRing#offer} received; for a state record, the user
   * data of the context's creation.
   */
  public long userData() {
    return memory.getLong(at(RingLayout.RECORD_USER_DATA));
  }

  /** Returns the context's {@link DocaContext#handle}. */
  public int context() {
    return memory.getInt(at(RingLayout.RECORD_CONTEXT));
  }

  /** Returns the type of the record. */
  public RecordType type() {
    return RecordType.of(rawType());
  }

  private int rawType() {
    return memory.get(at(RingLayout.RECORD_TYPE)) & BYTE_MASK;
  }

  /** Returns the kind of the task; undefined for a state record. */
  public TaskKind kind() {
    return TaskKind.of(memory.getShort(at(RingLayout.RECORD_KIND)));
  }

  /** Returns the task's {@code doca_error_t}; 0 for success. */
  public int status() {
    return memory.getInt(at(RingLayout.RECORD_STATUS));
  }

  /** State record: returns the previous state of the context. */
  public ContextState previousState() {
    return ContextState.of(memory.getInt(at(RingLayout.RECORD_STATES)) >>> Short.SIZE);
  }

  /** State record: returns the current state of the context. */
  public ContextState nextState() {
    return ContextState.of(memory.getInt(at(RingLayout.RECORD_STATES)) & NEXT_STATE_MASK);
  }

  /** Record about a connection: returns its handle. */
  public int connection() {
    return memory.getInt(at(RingLayout.RECORD_STATES));
  }

  /** Message: returns its length in bytes. */
  public int messageLength() {
    return (int) memory.getLong(at(RingLayout.RECORD_PRODUCED));
  }

  /**
   * Message: returns its bytes from position 0 to the limit, read-only, in native byte order. The
   * caller must not keep the view, because the next message overwrites the memory.
   *
   * @throws IllegalStateException if the record is no message
   */
  public ByteBuffer message() {
    int length = messageLength();
    if (!isMessage()) {
      throw new IllegalStateException("message: the record is " + type());
    }
    return messages.current(length);
  }

  /** Consumer of the other side, new or expired: returns its id. */
  public int consumer() {
    return (int) memory.getLong(at(RingLayout.RECORD_PRODUCED));
  }

  /** Completed receive: returns the id of the producer. */
  public int producer() {
    return memory.getInt(at(RingLayout.RECORD_STATES));
  }

  /** Completed receive: returns the size of the immediate data. */
  public int immediateLength() {
    return memory.get(at(RingLayout.RECORD_IMMEDIATE_LENGTH)) & BYTE_MASK;
  }

  /** Completed receive: returns a copy of the immediate data. */
  public byte[] immediate() {
    byte[] copy = new byte[immediateLength()];
    memory.get(at(RingLayout.RECORD_IMMEDIATE), copy);
    return copy;
  }

  /** Completed RDMA receive: returns the immediate data of the peer; 0 without any. */
  public int immediateNumber() {
    return checksum0();
  }

  /** Completed RDMA receive: returns {@code enum doca_rdma_opcode}. */
  public int opcode() {
    return checksum1();
  }

  /** Completed task: returns the number of bytes written to the destination. */
  public long produced() {
    return memory.getLong(at(RingLayout.RECORD_PRODUCED));
  }

  /** Completed compress task: returns the CRC-32 of the uncompressed bytes. */
  public int checksum0() {
    return memory.getInt(at(RingLayout.RECORD_CHECKSUM0));
  }

  /**
   * Completed compress task: returns the Adler-32 (deflate) or xxHash-32 (LZ4) of the uncompressed
   * bytes.
   */
  public int checksum1() {
    return memory.getInt(at(RingLayout.RECORD_CHECKSUM1));
  }

  private int at(int offset) {
    if (current == NO_RECORD) {
      throw new IllegalStateException("a record is valid only while its handler runs");
    }
    return current + offset;
  }
}
