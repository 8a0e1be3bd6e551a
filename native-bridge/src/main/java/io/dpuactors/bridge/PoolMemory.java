package io.dpuactors.bridge;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of a {@link BufferPool}, and DOCA's side of its buffers. The native
 * boundary implements this interface, and so do pools without a device for tests. Programs do not
 * call it. Thread: the engine's.
 */
public interface PoolMemory {
  /**
   * Time limits of callers that wait for a lease. The limits use the clock of the JDK, unless the
   * default executor of {@link CompletableFuture} implements this interface. A simulation replaces
   * that executor. Thread: any.
   */
  interface WaitLimits {
    /**
     * Fails a future with a {@link java.util.concurrent.TimeoutException} after this time, unless
     * the future completes before.
     */
    void limit(CompletableFuture<?> lease, long limitNs);
  }

  /** Returns the number of buffers. */
  int count();

  /** Returns the size of each window; for leases to be aimed, the largest part. */
  int bufferBytes();

  /** Returns the view of a window; null for a lease of all of the memory, to be aimed. */
  @Nullable ByteBuffer view(int index);

  /** Returns the address of a window; if imported, in its owner's process. */
  long address(int index);

  /** Returns the {@code struct doca_buf *} of a window. */
  long pointer(int index);

  /** Returns the size of all of the memory in bytes. */
  long bytes();

  /**
   * Replaces the {@code doca_buf} of a buffer that is in no list by another window. A failure keeps
   * the old one.
   *
   * @param address inside of the memory
   * @return the new {@code struct doca_buf *}
   */
  long replace(int index, long address, long bytes);

  /**
   * Appends a {@code doca_buf} to the list of another one.
   *
   * @param head first of its list
   * @param next in no list; may be of another pool
   * @param about subject for errors
   */
  void chain(long head, long next, String about);

  /**
   * Cuts a list behind a {@code doca_buf}.
   *
   * @param next follows {@code before}, and becomes the first of its list
   * @param about subject for errors
   */
  void unchain(long before, long next, String about);

  /**
   * Sets the content of a {@code doca_buf}.
   *
   * @param about subject for errors
   */
  void content(long pointer, long address, long bytes, String about);

  /**
   * Returns the number of content bytes of a {@code doca_buf}.
   *
   * @param about subject for errors
   */
  long contentBytes(long pointer, String about);

  /** Returns the kind of pages. */
  Pages pages();

  /**
   * Exports the memory to the other side of the PCI bus.
   *
   * @throws DocaException NOT_PERMITTED if its permissions do not allow this
   */
  MemoryExport export();

  /**
   * Exports the memory to RDMA peers.
   *
   * @throws DocaException NOT_PERMITTED if its permissions do not allow this
   */
  RemoteMemory exportToPeers();

  /** Returns what the owner allows, if this is memory of an RDMA peer; otherwise nothing. */
  Set<Permission> grantedByPeer();

  /** Returns whether contexts of the device of the other memory can use this memory. */
  default boolean isOnDeviceOf(PoolMemory other) {
    return true; // memory without a device
  }

  /** Returns the census of the engine. Any thread. */
  Census census();

  /**
   * Checks that the calling thread is the engine's.
   *
   * @param operation name of the attempted operation, for the message
   * @throws WrongThreadException naming both threads
   */
  void checkThread(String operation);

  /**
   * Destroys the buffers and, if the pool owns the memory, its registration. After a failure
   * another call continues.
   *
   * @param keepsMapped whether the memory stays mapped for ever, because a late reader may access
   *     it
   */
  void close(boolean keepsMapped);
}
