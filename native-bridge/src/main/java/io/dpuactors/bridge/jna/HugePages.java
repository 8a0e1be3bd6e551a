package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory on huge pages: reserved ones if available, else transparent ones, else ordinary ones. The
 * result contains the reason. Thread: any.
 */
public final class HugePages {
  // The value is the same on Linux for x86-64 and aarch64.
  private static final int MAP_HUGETLB = 0x40000;
  private static final int MADV_HUGEPAGE = 14;
  private static final int MADV_POPULATE_WRITE = 23;
  private static final int EINVAL = 22;

  private static final Path MEMINFO = Path.of("/proc/meminfo");
  private static final Path TRANSPARENT = Path.of("/sys/kernel/mm/transparent_hugepage");
  private static final Pattern SIZE = Pattern.compile("(?m)^Hugepagesize:\\s+(\\d+) kB$");
  private static final long DEFAULT_SIZE = 2L << 20;

  /**
   * A mapping.
   *
   * @param address of the first byte
   * @param mappedBytes bytes to free with {@link PageMemory#free}
   * @param pageBytes size of a huge page; 0 for ordinary pages
   * @param reserved whether the pages are reserved huge pages
   * @param reason why not; empty for reserved pages
   */
  public record Mapping(
      long address, long mappedBytes, long pageBytes, boolean reserved, String reason) {}

  private HugePages() {}

  /**
   * Maps zeroed memory.
   *
   * @param bytes more than 0
   * @throws OutOfMemoryError if the kernel has no memory of any kind
   */
  public static Mapping allocate(long bytes) {
    return allocate(bytes, MEMINFO, TRANSPARENT);
  }

  static Mapping allocate(long bytes, Path meminfo, Path transparent) {
    String none;
    try {
      return reserved(bytes, reservedSize(meminfo));
    } catch (UnsupportedOperationException e) {
      none = String.valueOf(e.getMessage());
    }
    try {
      return advised(bytes, transparent, none);
    } catch (UnsupportedOperationException e) {
      return new Mapping(PageMemory.allocate(bytes), bytes, 0, false, none + "; " + e.getMessage());
    }
  }

  /**
   * Populates the pages at once, so that an exhausted reserve fails here and not at the first
   * access.
   */
  private static Mapping reserved(long bytes, long pageBytes) {
    long whole = roundUp(bytes, pageBytes);
    long address = PageMemory.map(whole, MAP_HUGETLB);
    if (address == PageMemory.MAP_FAILED) {
      throw new UnsupportedOperationException(
          "no reserved huge pages: mmap: errno " + Native.getLastError());
    }
    if (PageMemory.madvise(address, whole, MADV_POPULATE_WRITE) != 0
        && Native.getLastError() != EINVAL) { // kernels before 5.14 do not support the request
      int errno = Native.getLastError();
      PageMemory.free(address, whole);
      throw new UnsupportedOperationException(
          "reserved huge pages cannot be had: madvise: errno " + errno);
    }
    return new Mapping(address, whole, pageBytes, true, "");
  }

  /** Aligns the memory to huge pages, because the kernel uses no others. */
  private static Mapping advised(long bytes, Path transparent, String noneReserved) {
    long pageBytes = transparentSize(transparent);
    long whole = roundUp(bytes, pageBytes);
    if (bytes < pageBytes) {
      throw new UnsupportedOperationException("less than a huge page");
    }
    long begin = PageMemory.allocate(whole + pageBytes);
    long address = roundUp(begin, pageBytes);
    free(begin, address - begin);
    free(address + whole, begin + pageBytes - address);
    if (PageMemory.madvise(address, whole, MADV_HUGEPAGE) != 0) {
      int errno = Native.getLastError();
      free(address, whole);
      throw new UnsupportedOperationException("no transparent huge pages: madvise: errno " + errno);
    }
    return new Mapping(address, whole, pageBytes, false, noneReserved);
  }

  private static void free(long address, long bytes) {
    if (bytes > 0) {
      PageMemory.free(address, bytes);
    }
  }

  private static long reservedSize(Path meminfo) {
    Matcher size = SIZE.matcher(read(meminfo, "huge pages"));
    if (!size.find()) {
      throw new UnsupportedOperationException("the kernel has no huge pages");
    }
    return Long.parseLong(size.group(1)) << 10;
  }

  private static long transparentSize(Path folder) {
    if (read(folder.resolve("enabled"), "transparent huge pages").contains("[never]")) {
      throw new UnsupportedOperationException("transparent huge pages are turned off");
    }
    Path size = folder.resolve("hpage_pmd_size");
    return Files.exists(size)
        ? Long.parseLong(read(size, "transparent huge pages").strip())
        : DEFAULT_SIZE;
  }

  private static String read(Path file, String what) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UnsupportedOperationException("no " + what + ": " + e, e);
    }
  }

  private static long roundUp(long bytes, long unit) {
    long mask = unit - 1; // pages are powers of two
    if (bytes > Long.MAX_VALUE - mask) {
      throw new OutOfMemoryError("mmap of " + bytes + " bytes");
    }
    return (bytes + mask) & ~mask;
  }
}
