package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.PageMemory;
import java.util.Set;

/** Creates {@code doca_mmap}s. Engine's thread. */
final class Registration {
  private Registration() {}

  /**
   * Registers memory of this process with a device.
   *
   * @param about subject for errors
   * @return a started {@code struct doca_mmap *}
   */
  static long of(long dev, Backing backing, Set<Permission> permissions, String about) {
    long[] map = new long[1];
    DocaException.check("doca_mmap_create", DocaCommon.doca_mmap_create(map), about);
    try {
      DocaException.check(
          "doca_mmap_set_memrange",
          DocaCommon.doca_mmap_set_memrange(map[0], backing.address(), backing.bytes()),
          about);
      DocaException.check("doca_mmap_add_dev", DocaCommon.doca_mmap_add_dev(map[0], dev), about);
      DocaException.check(
          "doca_mmap_set_permissions",
          DocaCommon.doca_mmap_set_permissions(map[0], Permission.mask(permissions)),
          about);
      DocaException.check("doca_mmap_start", DocaCommon.doca_mmap_start(map[0]), about);
      return map[0];
    } catch (DocaException e) {
      Suppressed.add(e, "doca_mmap_destroy", DocaCommon.doca_mmap_destroy(map[0]));
      throw e;
    }
  }

  /**
   * Imports memory of another process for a device.
   *
   * @return a usable {@code struct doca_mmap *}
   */
  static long imported(long dev, MemoryExport export, String about) {
    int length = export.length();
    long descriptor = PageMemory.allocate(length);
    try {
      DpuBridge.view(descriptor, length).put(export.bytes());
      long[] map = new long[1];
      DocaException.check(
          "doca_mmap_create_from_export",
          DocaCommon.doca_mmap_create_from_export(null, descriptor, length, dev, map),
          about);
      return map[0];
    } finally {
      PageMemory.free(descriptor, length);
    }
  }
}
