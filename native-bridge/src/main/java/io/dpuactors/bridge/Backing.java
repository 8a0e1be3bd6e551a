package io.dpuactors.bridge;

import io.dpuactors.bridge.Pages.Kind;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.HugePages;
import io.dpuactors.bridge.jna.PageMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a map: where it is, on what, and whose.
 *
 * @param address of the first byte; in its owner's process if imported
 * @param mappedBytes what is to be given back; 0: nothing, it is somebody else's
 * @param users the program's own memory, kept here from the garbage collector
 * @param isImported whether it is another process's
 */
record Backing(
    long address,
    long bytes,
    long mappedBytes,
    Pages pages,
    @Nullable ByteBuffer users,
    boolean isImported) {
  private static final long ORDINARY_PAGE = PageMemory.pageSize();
  private static final Pages ORDINARY = new Pages(Kind.ORDINARY, ORDINARY_PAGE, "");
  private static final Pages FOREIGN = new Pages(Kind.FOREIGN, ORDINARY_PAGE, "");

  /** Zeroed memory. */
  static Backing allocate(long bytes, boolean huge) {
    if (!huge) {
      return new Backing(PageMemory.allocate(bytes), bytes, bytes, ORDINARY, null, false);
    }
    HugePages.Mapping mapping = HugePages.allocate(bytes);
    return new Backing(
        mapping.address(), bytes, mapping.mappedBytes(), pagesOf(mapping), null, false);
  }

  private static Pages pagesOf(HugePages.Mapping mapping) {
    if (mapping.pageBytes() == 0) {
      return new Pages(Kind.ORDINARY, ORDINARY_PAGE, mapping.reason());
    }
    Kind kind = mapping.reserved() ? Kind.RESERVED : Kind.ADVISED;
    return new Pages(kind, mapping.pageBytes(), mapping.reason());
  }

  /** The program's own memory, from the buffer's position to its limit. */
  static Backing of(ByteBuffer users, Set<Permission> permissions) {
    if (!users.isDirect() || !users.hasRemaining()) {
      throw new IllegalArgumentException("a memory map over " + users + ": not direct, or empty");
    }
    if (users.isReadOnly() && permissions.stream().anyMatch(Permission::letsWrite)) {
      throw new IllegalArgumentException(
          "a memory map with " + permissions + " over memory that is read-only");
    }
    ByteBuffer part = users.slice();
    return new Backing(PageMemory.addressOf(part), part.capacity(), 0, FOREIGN, part, false);
  }

  static Backing imported(long address, long bytes) {
    return new Backing(address, bytes, 0, FOREIGN, null, true);
  }

  /** A view of a part, in native byte order. */
  ByteBuffer view(long offset, int length) {
    return users == null
        ? DpuBridge.view(address + offset, length)
        : users.slice((int) offset, length).order(ByteOrder.nativeOrder());
  }

  void free() {
    if (mappedBytes > 0) {
      PageMemory.free(address, mappedBytes);
    }
  }
}
