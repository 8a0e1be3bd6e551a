package io.dpuactors.bridge;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What kind of memory to allocate. Immutable.
 *
 * @param permissions what devices may do with it; the program may do everything
 * @param hugePages whether to try for pages of 2 MiB or so, which spare the device translations of
 *     large buffers; where there are none, ordinary ones are taken, and {@link MemoryMap#pages}
 *     says why
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

  /** Ordinary pages that only this process's devices and program use. */
  public static MemoryOptions defaults() {
    return DEFAULTS;
  }

  /** The same with other permissions. */
  public MemoryOptions withPermissions(Set<Permission> allowed) {
    return new MemoryOptions(allowed, hugePages);
  }

  /** The same with huge pages, where there are some. */
  public MemoryOptions withHugePages() {
    return new MemoryOptions(permissions, true);
  }
}
