package io.dpuactors.bridge;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Kind of memory to allocate. Immutable.
 *
 * @param permissions accesses that devices may make; the program has full access
 * @param hugePages whether to try pages of about 2 MiB, which reduce the device's address
 *     translations of large buffers. Ordinary pages replace missing ones, and {@link Pages#reason}
 *     has the cause
 */
public record MemoryOptions(Set<Permission> permissions, boolean hugePages) {
  private static final MemoryOptions DEFAULTS =
      new MemoryOptions(Set.of(Permission.LOCAL_READ_WRITE), false);

  /** Copies the set. */
  public MemoryOptions {
    EnumSet<Permission> inOrder = EnumSet.noneOf(Permission.class);
    inOrder.addAll(permissions);
    permissions = Collections.unmodifiableSet(inOrder);
  }

  /** Returns options for ordinary pages and access by this process only. */
  public static MemoryOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with other permissions. */
  public MemoryOptions withPermissions(Set<Permission> allowed) {
    return new MemoryOptions(allowed, hugePages);
  }

  /** Returns these options with huge pages, if available. */
  public MemoryOptions withHugePages() {
    return new MemoryOptions(permissions, true);
  }
}
