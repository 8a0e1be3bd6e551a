package io.dpuactors.bridge;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Memory that its owner shares with RDMA peers: DOCA's description, and the allowed accesses. A
 * message can carry it as {@link #bytes}. Valid while the owner's memory is open. Thread: any.
 *
 * @param export DOCA's description: the result of {@code doca_mmap_export_rdma}
 * @param permissions what peers may do: {@link Permission#RDMA_READ}, {@link
 *     Permission#RDMA_WRITE}, {@link Permission#RDMA_ATOMIC}
 */
public record RemoteMemory(MemoryExport export, Set<Permission> permissions) {
  private static final Set<Permission> OF_PEERS =
      Set.copyOf(EnumSet.of(Permission.RDMA_READ, Permission.RDMA_WRITE, Permission.RDMA_ATOMIC));

  /** Copies the permissions of peers; ignores all others. */
  public RemoteMemory {
    EnumSet<Permission> granted = EnumSet.noneOf(Permission.class);
    permissions.stream().filter(OF_PEERS::contains).forEach(granted::add);
    permissions = Set.copyOf(granted);
  }

  /**
   * Reads the bytes of {@link #bytes}.
   *
   * @throws IllegalArgumentException if there are too few bytes
   */
  public static RemoteMemory of(byte[] bytes) {
    if (bytes.length < 2) {
      throw new IllegalArgumentException("remote memory has at least 2 bytes");
    }
    Set<Permission> granted = EnumSet.noneOf(Permission.class);
    for (Permission each : OF_PEERS) {
      if ((bytes[0] & Permission.mask(Set.of(each))) != 0) {
        granted.add(each);
      }
    }
    return new RemoteMemory(MemoryExport.of(Arrays.copyOfRange(bytes, 1, bytes.length)), granted);
  }

  /** Returns the permissions as one byte, and DOCA's description behind it. */
  public byte[] bytes() {
    byte[] description = export.bytes();
    byte[] all = new byte[1 + description.length];
    all[0] = (byte) Permission.mask(permissions);
    System.arraycopy(description, 0, all, 1, description.length);
    return all;
  }
}
