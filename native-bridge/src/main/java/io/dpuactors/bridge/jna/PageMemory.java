package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * Pages outside of the Java heap, from {@code mmap(2)}: aligned to a page, zeroed, and not limited
 * to 2 GiB as direct buffers are. Thread: any.
 */
public final class PageMemory {
  // The value is the same on Linux for x86-64 and aarch64.
  private static final int PROT_READ_WRITE = 0x1 | 0x2;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
  static final long MAP_FAILED = -1;

  static {
    Native.register(PageMemory.class, NativeLibrary.getProcess());
  }

  private PageMemory() {}

  /**
   * Maps memory.
   *
   * @param bytes more than 0; the kernel rounds up to whole pages
   * @return its address
   * @throws OutOfMemoryError if the kernel has no memory
   */
  public static long allocate(long bytes) {
    long address = map(bytes, 0);
    if (address == MAP_FAILED) {
      throw new OutOfMemoryError("mmap of " + bytes + " bytes: errno " + Native.getLastError());
    }
    return address;
  }

  /** Returns the size of ordinary pages. */
  public static long pageSize() {
    return getpagesize();
  }

  /** Maps memory with further flags; returns {@link #MAP_FAILED} on failure. */
  static long map(long bytes, int flags) {
    return mmap(0, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS | flags, -1, 0);
  }

  /** Unmaps the memory that {@link #allocate} returned for the same number of bytes. */
  public static void free(long address, long bytes) {
    if (munmap(address, bytes) != 0) {
      throw new IllegalArgumentException(
          "munmap of " + bytes + " bytes: errno " + Native.getLastError());
    }
  }

  private static native long mmap(
      long address, long length, int protection, int flags, int descriptor, long offset);

  private static native int munmap(long address, long length);

  private static native int getpagesize();

  static native int madvise(long address, long length, int advice);
}
