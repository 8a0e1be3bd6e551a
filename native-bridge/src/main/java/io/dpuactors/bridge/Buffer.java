package io.dpuactors.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A leased slice of registered memory, the <em>window</em>. Its content is [0, length). A slice of
 * imported memory has no view, and is {@link #aim aimed} at the part of the memory that is meant.
 *
 * <p>A lease has one holder at a time and moves with messages; it belongs to the device from {@link
 * SubmissionRing#offer} to its record. It is returned exactly once: a second {@link #release}, or
 * any use after the first, throws until somebody else leases the slice. Thread: the holder's,
 * whichever that is; whoever hands it over must do so safely, as a message or a queue does.
 */
public final class Buffer {
  private static final VarHandle LEASED;

  static {
    try {
      LEASED = MethodHandles.lookup().findVarHandle(Buffer.class, "leased", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BufferPool pool;
  private final int index;
  private final MemoryMap map;
  private final long pointer;

  /** Null for imported memory. */
  private final @Nullable ByteBuffer view;

  private long address;
  private int capacity;
  private int length;

  @SuppressWarnings("UnusedVariable") // through LEASED
  private volatile boolean leased;

  /** Where the present or last lease began and ended; kept only while leases are debugged. */
  private volatile @Nullable Throwable leasedAt;

  private volatile @Nullable Throwable releasedAt;

  /** A window of memory that the program reaches, too. */
  Buffer(BufferPool pool, int index, MemoryMap map, long address, long pointer, ByteBuffer view) {
    this.pool = pool;
    this.index = index;
    this.map = map;
    this.address = address;
    this.pointer = pointer;
    this.view = view;
    this.capacity = view.capacity();
  }

  /** A window of imported memory: all of it. */
  Buffer(BufferPool pool, int index, MemoryMap map, long pointer) {
    this.pool = pool;
    this.index = index;
    this.map = map;
    this.address = map.address();
    this.pointer = pointer;
    this.view = null;
  }

  /**
   * The window's one view, in native byte order. Position and limit are the holder's; a new lease
   * begins cleared.
   *
   * @throws IllegalStateException when the memory is imported
   */
  public ByteBuffer bytes() {
    checkLeased("bytes");
    if (view == null) {
      throw new IllegalStateException("bytes: " + this + " is reached by the device only");
    }
    return view;
  }

  /**
   * Aims a lease of imported memory at a part of it, which becomes window and content: a task reads
   * all of it, or writes at most so much from its beginning.
   *
   * @param offset from the beginning of the imported memory
   * @param newLength size of the part
   * @throws IndexOutOfBoundsException when the part is not inside
   * @throws IllegalStateException when the memory is not imported
   */
  public void aim(long offset, int newLength) {
    checkLeased("aim");
    if (view != null) {
      throw new IllegalStateException("aim: " + this + " has a window of its own");
    }
    Objects.checkFromIndexSize(offset, newLength, map.bytes());
    address = map.address() + offset;
    capacity = newLength;
    length = newLength;
  }

  /** Whether this is memory of another process, which has no view here. */
  public boolean isImported() {
    return view == null;
  }

  /** Size of the window; 0 for imported memory before it is aimed. */
  public int capacity() {
    return capacity;
  }

  /** How many bytes of the window are content. */
  public int length() {
    checkLeased("length");
    return length;
  }

  /** Says how many bytes of the window, from its beginning, are content. */
  public void length(int newLength) {
    checkLeased("length");
    if (newLength < 0 || newLength > capacity) {
      throw new IllegalArgumentException(
          "length " + newLength + " of a buffer of " + capacity + " bytes");
    }
    length = newLength;
  }

  /**
   * Gives the slice back to its pool. Any thread.
   *
   * @throws IllegalStateException when it was given back before; names who did while leases are
   *     debugged
   */
  public void release() {
    if (!LEASED.compareAndSet(this, true, false)) {
      throw notLeased("release");
    }
    if (pool.debugsLeases()) {
      releasedAt = trace("released");
    }
    pool.takeBack(this);
  }

  /** Whether somebody holds it. */
  public boolean isLeased() {
    return leased;
  }

  /** Where the window begins; in its owner's process if imported. */
  public long address() {
    return address;
  }

  /** The {@code struct doca_buf *} of the window. */
  public long pointer() {
    return pointer;
  }

  /** Where it is leased from. */
  public BufferPool pool() {
    return pool;
  }

  /** Its number in the pool. */
  public int index() {
    return index;
  }

  /** Begins a lease; called by whoever has just taken it out of the pool's queue. */
  void beginLease() {
    length = 0;
    if (view == null) {
      capacity = 0;
    } else {
      view.clear();
    }
    if (pool.debugsLeases()) {
      leasedAt = trace("leased");
    }
    leased = true;
  }

  void checkLeased(String operation) {
    if (!leased) {
      throw notLeased(operation);
    }
  }

  @Nullable Throwable leasedAt() {
    return leasedAt;
  }

  private IllegalStateException notLeased(String operation) {
    IllegalStateException failure =
        new IllegalStateException(operation + ": " + this + " is not leased");
    Throwable before = releasedAt;
    if (before != null) {
      failure.initCause(before);
    }
    return failure;
  }

  private Throwable trace(String event) {
    return new Throwable(this + " was " + event + " by thread " + Thread.currentThread().getName());
  }

  @Override
  public String toString() {
    return (view == null ? "imported buffer " : "buffer ") + index;
  }
}
