package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.Pages;
import io.dpuactors.bridge.Pages.Kind;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.HugePages;
import io.dpuactors.bridge.jna.PageMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a map: address, pages and owner.
 *
 * @param address of the first byte; in the owner's process for imported memory
 * @param mappedBytes bytes to unmap; 0 for memory of another owner
 * @param users the program's memory, which this reference keeps from the garbage collector
 * @param isImported whether another process owns it
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

  /** Allocates zeroed memory. */
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

  /** Uses the program's memory, from the buffer's position to its limit. */
  static Backing of(ByteBuffer users, Set<Permission> permissions) {
    if (!users.isDirect() || !users.hasRemaining()) {
      throw new IllegalArgumentException("a memory map over " + users + ": not direct, or empty");
    }
    if (users.isReadOnly() && permissions.stream().anyMatch(Permission::letsWrite)) {
      throw new IllegalArgumentException(
          "a memory map with " + permissions + " over memory that is read-only");
    }
    ByteBuffer part = users.slice();
    return new Backing(DpuBridge.address(part), part.capacity(), 0, FOREIGN, part, false);
  }

  static Backing imported(long address, long bytes) {
    return new Backing(address, bytes, 0, FOREIGN, null, true);
  }

  /** Returns a view of a part, in native byte order. */
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
