package io.dpuactors.bridge;

import java.util.Set;

/**
 * Permissions of registered memory; mirrors {@code enum doca_access_flag}. Local reads are always
 * allowed: only the local devices can read memory without any permission.
 */
public enum Permission {
  /** Local devices write it. */
  LOCAL_READ_WRITE(1),
  /** RDMA peers read it. */
  RDMA_READ(1 << 1),
  /** RDMA peers write it. */
  RDMA_WRITE(1 << 2),
  /** RDMA peers change it atomically. */
  RDMA_ATOMIC(1 << 3),
  /** The other side of the PCI bus reads it; not together with {@link #PCI_READ_WRITE}. */
  PCI_READ_ONLY(1 << 4),
  /** The other side of the PCI bus reads and writes it. */
  PCI_READ_WRITE(1 << 5),
  /** Writes over the PCI bus may overtake each other. */
  PCI_RELAXED_ORDERING(1 << 6);

  private final int flag;

  Permission(int flag) {
    this.flag = flag;
  }

  /** Returns whether the permission allows writes. */
  public boolean letsWrite() {
    return switch (this) {
      case LOCAL_READ_WRITE, RDMA_WRITE, RDMA_ATOMIC, PCI_READ_WRITE -> true;
      case RDMA_READ, PCI_READ_ONLY, PCI_RELAXED_ORDERING -> false;
    };
  }

  /** Returns DOCA's sum of flags. */
  public static int mask(Set<Permission> permissions) {
    return permissions.stream().mapToInt(permission -> permission.flag).sum();
  }
}
