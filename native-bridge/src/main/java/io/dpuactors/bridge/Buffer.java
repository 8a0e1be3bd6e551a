package io.dpuactors.bridge;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A leased slice of registered memory, the <em>window</em>. Its content is [0, length). A lease of
 * all of a map's memory has no view, and is {@link #aim aimed} at the part that is meant.
 *
 * <p>What becomes of a lease, who holds it and how it is returned, {@link Lease} says. Thread: the
 * holder's.
 */
public final class Buffer extends Lease {
  private final MemoryMap map;
  private long pointer;

  /** Null for a lease that is aimed. */
  private final @Nullable ByteBuffer view;

  private long address;
  private int capacity;
  private int length;

  /** That has it for itself, or null; its number there as a destination, or -1. */
  private @Nullable Batch batch;

  private int task;

  /** Runs of the batch that its length is of. */
  private int runsSeen;

  /** A window of memory that the program reaches, too. */
  Buffer(BufferPool pool, int index, MemoryMap map, long address, long pointer, ByteBuffer view) {
    super(pool, index);
    this.map = map;
    this.address = address;
    this.pointer = pointer;
    this.view = view;
    this.capacity = view.capacity();
  }

  /** A lease of all of a map's memory, to be aimed. */
  Buffer(BufferPool pool, int index, MemoryMap map, long pointer) {
    super(pool, index);
    this.map = map;
    this.address = map.address();
    this.pointer = pointer;
    this.view = null;
  }

  /**
   * The window's one view, in native byte order. Position and limit are the holder's; a new lease
   * begins cleared.
   *
   * @throws IllegalStateException when it is a lease that is aimed
   */
  public ByteBuffer bytes() {
    checkHeld("bytes");
    look();
    if (view == null) {
      throw new IllegalStateException("bytes: " + this + " is reached by the device only");
    }
    return view;
  }

  /**
   * Aims a lease of all of a map's memory at a part of it, which becomes window and content: a task
   * reads all of it, or writes at most so much from its beginning.
   *
   * @param offset from the beginning of the map's memory
   * @param newLength size of the part
   * @throws IndexOutOfBoundsException when the part is not inside
   * @throws IllegalStateException when it has a window of its own, or is lent
   */
  public void aim(long offset, int newLength) {
    checkNotLent("aim");
    if (view != null) {
      throw new IllegalStateException("aim: " + this + " has a window of its own");
    }
    Objects.checkFromIndexSize(offset, newLength, map.bytes());
    address = map.address() + offset;
    capacity = newLength;
    length = newLength;
  }

  /** Whether this has no view here, and is aimed at a part of its map's memory. */
  public boolean isAimed() {
    return view == null;
  }

  /** Size of the window; 0 before {@link #aim}. */
  public int capacity() {
    return capacity;
  }

  /** How many bytes of the window are content. */
  public int length() {
    checkLeased("length");
    lookAtBatch();
    return length;
  }

  /** Takes over what the last run of its batch has written: not before somebody wants to know. */
  private void lookAtBatch() {
    Batch writer = batch;
    if (writer != null && task >= 0 && runsSeen != writer.runs()) {
      setLength(Math.toIntExact(writer.results().produced(task)));
    }
  }

  /**
   * Says how many bytes of the window, from its beginning, are content.
   *
   * @throws IllegalStateException while the lease is lent
   */
  public void length(int newLength) {
    checkNotLent("length");
    look();
    setLength(newLength);
  }

  /** Bytes of content in the chain of this head. */
  public long totalLength() {
    BufferChain behind = chain();
    return behind == null ? length() : length() + behind.length();
  }

  /** Bytes that the windows of the chain of this head have room for. */
  public long totalCapacity() {
    BufferChain behind = chain();
    return behind == null ? capacity : capacity + behind.capacity();
  }

  /**
   * The device has written it: sets its length, and that of every buffer of its chain. While it is
   * lent. Any thread; for a chain the engine's.
   *
   * @param bytes what the record says
   */
  public void written(long bytes) {
    setWritten(bytes);
    BufferChain behind = chain();
    if (behind != null) {
      behind.written();
    }
  }

  /**
   * It will be somebody else's: leaves the {@link LeaseScope} that it is of, if any, and returns
   * only by {@link #release} unless another scope adopts it.
   *
   * @throws IllegalStateException when it is not leased, or in a chain
   */
  public void handOver() {
    moveTo(null);
  }

  /** Where the window begins; in its owner's process if imported. */
  public long address() {
    return address;
  }

  /** The {@code struct doca_buf *} of the window; another one after it was in a chain. */
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

  /** The batch that has it for itself, if any. */
  @Nullable Batch batch() {
    return batch;
  }

  /** A batch that has it for itself has it as a source. */
  void readBy(Batch reader) {
    writtenBy(reader, -1);
  }

  /** A batch that has it for itself writes it. */
  void writtenBy(Batch writer, int number) {
    batch = writer;
    task = number;
    runsSeen = writer.runs();
  }

  /** The batch lets go of it. */
  void leave(Batch reader) {
    if (batch == reader) {
      lookAtBatch();
      batch = null;
    }
  }

  @Override
  void lentAgain() {
    Batch known = batch;
    if (known != null) {
      known.share();
    }
  }

  /**
   * DOCA's window of a lease that is aimed is all of the memory, as it is aimed again and again; in
   * a list a device would go on beyond the part that is meant, so that there it gets one that is
   * exact.
   */
  void exactWindow(boolean exact) {
    if (isAimed()) {
      pointer =
          exact
              ? pool().inventory().replace(index(), map, address, capacity)
              : pool().inventory().replace(index(), map, map.address(), map.bytes());
    }
  }

  /** Checks that it can be part of a task, and tells DOCA what the bridge does not. */
  void prepare(String operation, boolean asSource) {
    checkLeased(operation);
    checkNotBehindAnother(operation);
    BufferChain behind = chain();
    if (behind != null) {
      checkLent(operation);
      behind.fill(asSource);
    }
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
    } else {
      view.clear();
    }
  }
}
