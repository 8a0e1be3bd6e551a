package io.dpuactors.bridge;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A leased slice of registered memory, the <em>window</em>. The content of the buffer is [0,
 * length). A lease of all of a pool's memory has no view; {@link #aim} selects a part of the
 * memory.
 *
 * <p>{@link Lease} describes the life of a lease, its holder and its return. Thread: the holder's.
 */
public final class Buffer extends Lease {
  private long pointer;

  /** Null for a lease that is aimed. */
  private final @Nullable ByteBuffer view;

  private long address;
  private int capacity;
  private int length;

  /**
   * The only batch that uses this buffer, or null; then its task number as a destination, or -1.
   */
  private @Nullable TaskBatch batch;

  private int task;

  /** Number of the batch's run that set the length. */
  private int runsSeen;

  /** Creates a window, or a lease of all of the memory, which has no view. */
  Buffer(BufferPool pool, int index) {
    super(pool, index);
    PoolMemory memory = pool.memory();
    this.address = memory.address(index);
    this.pointer = memory.pointer(index);
    this.view = memory.view(index);
    this.capacity = view == null ? 0 : view.capacity();
  }

  /**
   * Returns the one view of the window, in native byte order. The holder owns position and limit; a
   * new lease begins cleared.
   *
   * @throws IllegalStateException for a lease that is aimed
   */
  public ByteBuffer bytes() {
    checkHeld("bytes");
    noteUse();
    if (view == null) {
      throw new IllegalStateException("bytes: " + this + " is reached by the device only");
    }
    return view;
  }

  /**
   * Aims a lease of all of the memory at a part, which becomes window and content. A task reads all
   * of the part, or writes at most its size from its beginning.
   *
   * @param offset from the beginning of the memory
   * @param newLength size of the part
   * @throws IndexOutOfBoundsException when the part is not inside the memory
   * @throws IllegalStateException when this buffer has a fixed window, or is lent
   */
  public void aim(long offset, int newLength) {
    checkNotLent("aim");
    if (view != null) {
      throw new IllegalStateException("aim: " + this + " has a separate window");
    }
    Objects.checkFromIndexSize(offset, newLength, memory().bytes());
    address = memory().address(index()) + offset;
    capacity = newLength;
    length = newLength;
  }

  /** Returns whether this buffer has no view and is aimed at a part of the memory. */
  public boolean isAimed() {
    return view == null;
  }

  /** Returns the size of the window; 0 before {@link #aim}. */
  public int capacity() {
    return capacity;
  }

  /** Returns the number of content bytes in the window. */
  public int length() {
    checkLeased("length");
    readBatchLength();
    return length;
  }

  /** Reads the length that the last run of the batch has written, on demand. */
  private void readBatchLength() {
    TaskBatch writer = batch;
    if (writer != null && task >= 0 && runsSeen != writer.runs()) {
      setLength(Math.toIntExact(writer.results().produced(task)));
    }
  }

  /**
   * Sets the number of content bytes, from the beginning of the window.
   *
   * @throws IllegalStateException while the lease is lent
   */
  public void length(int newLength) {
    checkNotLent("length");
    noteUse();
    setLength(newLength);
  }

  /** Returns the number of content bytes, even without a lease. A chained buffer has no batch. */
  int lengthInChain() {
    return length;
  }

  /** Returns the content bytes of the chain of this head. */
  public long totalLength() {
    BufferChain behind = chain();
    return behind == null ? length() : length() + behind.length();
  }

  /** Returns the total capacity of the windows in the chain of this head. */
  public long totalCapacity() {
    BufferChain behind = chain();
    return behind == null ? capacity : capacity + behind.capacity();
  }

  /**
   * Sets the length after the device has written the buffer, for a chain that of each buffer. Call
   * while the buffer is lent. Any thread; for a chain the engine's.
   *
   * @param bytes the number in the record
   */
  public void written(long bytes) {
    setWritten(bytes);
    BufferChain behind = chain();
    if (behind != null) {
      behind.written();
    }
  }

  /**
   * Removes this lease from its {@link LeaseScope}, if any, before it moves to another holder. From
   * now on only {@link #release} returns it, unless another scope adopts it.
   *
   * @throws IllegalStateException when it is not leased, or in a chain
   */
  public void handOver() {
    moveTo(null);
  }

  /** Returns the address of the window; if imported, in its owner's process. */
  public long address() {
    return address;
  }

  /**
   * Returns the {@code struct doca_buf *} of the window; it changes when the buffer was in a chain.
   */
  public long pointer() {
    return pointer;
  }

  void setWritten(long bytes) {
    setLength(Math.toIntExact(bytes));
  }

  private void setLength(int newLength) {
    if (newLength < 0 || newLength > capacity) {
      throw new IllegalArgumentException(
          "length " + newLength + " of a buffer of " + capacity + " bytes");
    }
    length = newLength;
    runsSeen = batch == null ? 0 : batch.runs();
  }

  /** Registers the batch that uses this buffer as a source. */
  void readBy(TaskBatch reader) {
    writtenBy(reader, -1);
  }

  /** Registers the batch that writes this buffer. */
  void writtenBy(TaskBatch writer, int number) {
    batch = writer;
    task = number;
    runsSeen = writer.runs();
  }

  /** Removes the batch. */
  void leave(TaskBatch reader) {
    if (batch == reader) {
      readBatchLength();
      batch = null;
    }
  }

  @Override
  void lentAgain() {
    TaskBatch known = batch;
    if (known != null) {
      known.share();
    }
  }

  /**
   * Sets DOCA's window of a lease that is aimed. Normally it is all of the memory, because the
   * lease is aimed repeatedly. In a list the device would continue beyond the part, so the window
   * there is exact.
   */
  void exactWindow(boolean exact) {
    if (isAimed()) {
      pointer =
          exact
              ? memory().replace(index(), address, capacity)
              : memory().replace(index(), memory().address(index()), memory().bytes());
    }
  }

  /**
   * Checks that the buffer can be part of a task, and sets what the bridge does not set in DOCA.
   * Engine's thread.
   *
   * @param operation name of the attempted operation, for the message
   * @param asSource whether the task reads the buffer
   * @throws IllegalStateException if it is not leased, or in a chain that is not lent
   */
  public void prepare(String operation, boolean asSource) {
    checkLeased(operation);
    checkNotBehindAnother(operation);
    BufferChain behind = chain();
    if (behind != null) {
      checkLent(operation);
      behind.fill(asSource);
    }
  }

  private PoolMemory memory() {
    return pool().memory();
  }

  @Override
  public String toString() {
    return (view == null ? "aimed buffer " : "buffer ") + index();
  }

  @Override
  Buffer self() {
    return this;
  }

  @Override
  void clearWindow() {
    length = 0;
    if (view == null) {
      capacity = 0;
      address = memory().address(index());
    } else {
      view.clear();
    }
  }
}
