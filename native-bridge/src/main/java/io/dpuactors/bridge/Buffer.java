package io.dpuactors.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A leased slice of registered memory, the <em>window</em>. Its content is [0, length).
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
  private final long address;
  private final long pointer;
  private final ByteBuffer view;
  private int length;

  @SuppressWarnings("UnusedVariable") // through LEASED
  private volatile boolean leased;

  /** Where the present or last lease began and ended; kept only while leases are debugged. */
  private volatile @Nullable Throwable leasedAt;

  private volatile @Nullable Throwable releasedAt;

  Buffer(BufferPool pool, int index, long address, long pointer, ByteBuffer view) {
    this.pool = pool;
    this.index = index;
    this.address = address;
    this.pointer = pointer;
    this.view = view;
  }

  /**
   * The window's one view, in native byte order. Position and limit are the holder's; a new lease
   * begins cleared.
   */
  public ByteBuffer bytes() {
    checkLeased("bytes");
    return view;
  }

  /** Size of the window. */
  public int capacity() {
    return view.capacity();
  }

  /** How many bytes of the window are content. */
  public int length() {
    checkLeased("length");
    return length;
  }

  /** Says how many bytes of the window, from its beginning, are content. */
  public void length(int newLength) {
    checkLeased("length");
    if (newLength < 0 || newLength > view.capacity()) {
      throw new IllegalArgumentException(
          "length " + newLength + " of a buffer of " + view.capacity() + " bytes");
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

  /** Where the window begins. */
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
    view.clear();
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
    return "buffer " + index;
  }
}
