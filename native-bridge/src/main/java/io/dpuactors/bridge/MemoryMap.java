package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.PageMemory;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Memory that is registered with a device: outside of the Java heap, aligned to a page, zeroed, of
 * any size that the machine has. Device and host read and write it. Thread: the engine's.
 *
 * <p>The pages come from {@code mmap(2)}, because a Java direct buffer ends at 2 GiB and is aligned
 * to 16 bytes only; {@link #slice} gives views of up to 2 GiB. A view must not be used once the map
 * is closed: its pages are gone.
 */
public final class MemoryMap implements AutoCloseable {
  // DOCA_ACCESS_FLAG_LOCAL_READ_WRITE
  private static final int LOCAL_READ_WRITE = 1;

  private final ProgressEngine engine;
  private final long address;
  private final long bytes;
  private final long pointer;
  private boolean closed;

  private MemoryMap(ProgressEngine engine, long address, long bytes, long pointer) {
    this.engine = engine;
    this.address = address;
    this.bytes = bytes;
    this.pointer = pointer;
  }

  /**
   * Allocates and registers memory.
   *
   * @param bytes more than 0
   * @throws OutOfMemoryError when the machine has no such memory
   * @throws DocaException when the device takes no more
   */
  public static MemoryMap allocate(ProgressEngine engine, Device device, long bytes) {
    engine.checkThread("MemoryMap.allocate");
    if (bytes <= 0) {
      throw new IllegalArgumentException("a memory map of " + bytes + " bytes");
    }
    long dev = device.pointer();
    long address = PageMemory.allocate(bytes);
    try {
      long pointer = register(dev, address, bytes, bytes + " bytes on " + device);
      engine.census().opened(Census.Resource.MEMORY_MAP);
      return new MemoryMap(engine, address, bytes, pointer);
    } catch (DocaException e) {
      PageMemory.free(address, bytes);
      throw e;
    }
  }

  private static long register(long dev, long address, long bytes, String about) {
    long[] map = new long[1];
    DocaException.check("doca_mmap_create", DocaCommon.doca_mmap_create(map), about);
    try {
      DocaException.check(
          "doca_mmap_set_memrange",
          DocaCommon.doca_mmap_set_memrange(map[0], address, bytes),
          about);
      DocaException.check("doca_mmap_add_dev", DocaCommon.doca_mmap_add_dev(map[0], dev), about);
      DocaException.check(
          "doca_mmap_set_permissions",
          DocaCommon.doca_mmap_set_permissions(map[0], LOCAL_READ_WRITE),
          about);
      DocaException.check("doca_mmap_start", DocaCommon.doca_mmap_start(map[0]), about);
      return map[0];
    } catch (DocaException e) {
      Suppressed.add(e, "doca_mmap_destroy", DocaCommon.doca_mmap_destroy(map[0]));
      throw e;
    }
  }

  /** Where the memory begins; a multiple of the page size. */
  public long address() {
    return address;
  }

  /** How much there is. */
  public long bytes() {
    return bytes;
  }

  /** The {@code struct doca_mmap *} while it is open. */
  public long pointer() {
    checkOpen("pointer");
    return pointer;
  }

  /**
   * A view of a part, in native byte order.
   *
   * @throws IndexOutOfBoundsException when the part is not inside
   */
  public ByteBuffer slice(long offset, int length) {
    engine.checkThread("slice");
    checkOpen("slice");
    Objects.checkFromIndexSize(offset, length, bytes);
    return DpuBridge.view(address + offset, length);
  }

  private void checkOpen(String operation) {
    if (closed) {
      throw new IllegalStateException(operation + ": " + this + " is closed");
    }
  }

  /**
   * Takes the registration back and frees the memory. Idempotent.
   *
   * @throws DocaException NOT_PERMITTED while buffers point into it; may be called again
   */
  @Override
  public void close() {
    if (unregister()) {
      PageMemory.free(address, bytes);
    }
  }

  /**
   * Takes the registration back and leaves the memory where it is, for good: for when somebody may
   * still read it.
   *
   * @return false when that was done before
   */
  boolean unregister() {
    engine.checkThread("close");
    if (closed) {
      return false;
    }
    DocaException.check("doca_mmap_destroy", DocaCommon.doca_mmap_destroy(pointer), toString());
    closed = true;
    engine.census().closed(Census.Resource.MEMORY_MAP);
    return true;
  }

  @Override
  public String toString() {
    return "memory map of " + bytes + " bytes";
  }
}
