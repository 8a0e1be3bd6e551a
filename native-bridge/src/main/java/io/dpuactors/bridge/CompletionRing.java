package io.dpuactors.bridge;

import java.nio.ByteBuffer;

/**
 * What the device has answered. Thread: the engine's.
 *
 * <p>During {@link #drain} this object is itself the view of the record at hand: nothing is
 * allocated for a record. The accessors of a record throw outside of {@link
 * RecordHandler#onRecord}.
 */
public final class CompletionRing {
  private static final int NO_RECORD = -1;
  private static final int NEXT_STATE_MASK = 0xffff;
  private static final int BYTE_MASK = 0xff;

  /**
   * Takes one record; may offer new tasks, start and stop contexts, and enter the engine to submit,
   * but not drain.
   */
  @FunctionalInterface
  public interface RecordHandler {
    /**
     * Called once for each record, in the order of their arrival. The view is valid during the call
     * only.
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

  /** Records that wait to be drained. */
  public int size() {
    engine.checkUse("size");
    return memory.getInt(RingLayout.COMPLETION_TAIL) - head;
  }

  /**
   * Hands waiting records to a handler. A record whose handler throws counts as handed over: it
   * does not come again, the ones behind it do.
   *
   * @param limit at most so many
   * @return how many it were
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

  /** A message's cell is free again whatever its handler did. */
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
   * What {@link SubmissionRing#offer} was given; of a state record, what the context was created
   * with.
   */
  public long userData() {
    return memory.getLong(at(RingLayout.RECORD_USER_DATA));
  }

  /** The context's {@link DocaContext#handle}. */
  public int context() {
    return memory.getInt(at(RingLayout.RECORD_CONTEXT));
  }

  /** What the record tells. */
  public RecordType type() {
    return RecordType.of(rawType());
  }

  private int rawType() {
    return memory.get(at(RingLayout.RECORD_TYPE)) & BYTE_MASK;
  }

  /** The kind of the task; of a state record without meaning. */
  public TaskKind kind() {
    return TaskKind.of(memory.getShort(at(RingLayout.RECORD_KIND)));
  }

  /** The task's {@code doca_error_t}; 0 for success. */
  public int status() {
    return memory.getInt(at(RingLayout.RECORD_STATUS));
  }

  /** Of a state record: the state that the context left. */
  public ContextState previousState() {
    return ContextState.of(memory.getInt(at(RingLayout.RECORD_STATES)) >>> Short.SIZE);
  }

  /** Of a state record: the state that the context is in. */
  public ContextState nextState() {
    return ContextState.of(memory.getInt(at(RingLayout.RECORD_STATES)) & NEXT_STATE_MASK);
  }

  /** Of a record about a connection: its handle. */
  public int connection() {
    return memory.getInt(at(RingLayout.RECORD_STATES));
  }

  /** Of a message: its bytes. */
  public int messageLength() {
    return (int) memory.getLong(at(RingLayout.RECORD_PRODUCED));
  }

  /**
   * Of a message: what was sent, from position 0 to the limit, read-only, in native byte order. The
   * view must not be kept: the next message is written to the same memory.
   *
   * @throws IllegalStateException when the record is no message
   */
  public ByteBuffer message() {
    int length = messageLength();
    if (!isMessage()) {
      throw new IllegalStateException("message: the record is " + type());
    }
    return messages.current(length);
  }

  /** Of a consumer of the other side that is new or gone: what producers name it by. */
  public int consumer() {
    return (int) memory.getLong(at(RingLayout.RECORD_PRODUCED));
  }

  /** Of a receive that is done: which producer it came from. */
  public int producer() {
    return memory.getInt(at(RingLayout.RECORD_STATES));
  }

  /** Of a receive that is done: bytes of immediate data that came with it. */
  public int immediateLength() {
    return memory.get(at(RingLayout.RECORD_IMMEDIATE_LENGTH)) & BYTE_MASK;
  }

  /** Of a receive that is done: a copy of the immediate data that came with it. */
  public byte[] immediate() {
    byte[] copy = new byte[immediateLength()];
    memory.get(at(RingLayout.RECORD_IMMEDIATE), copy);
    return copy;
  }

  /** Of a task that is done: bytes written to the destination. */
  public long produced() {
    return memory.getLong(at(RingLayout.RECORD_PRODUCED));
  }

  /** Of a compress task that is done: the CRC-32 of the plain bytes. */
  public int checksum0() {
    return memory.getInt(at(RingLayout.RECORD_CHECKSUM0));
  }

  /** Of a compress task that is done: their Adler-32 (deflate) or xxHash-32 (LZ4). */
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
