package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.PageMemory;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * Memory that is registered with a device. Thread: the engine's.
 *
 * <ul>
 *   <li>{@link #allocate Allocated}: outside of the Java heap, aligned to a page, zeroed, of any
 *       size that the machine has; device and program read and write it. {@link #export} makes it
 *       known to others.
 *   <li>{@link #imported Imported}: memory of another process or of the other side of the PCI bus.
 *       The device reaches it, the program does not: its addresses are the owner's, and it has no
 *       views.
 * </ul>
 *
 * <p>The pages come from {@code mmap(2)}, because a Java direct buffer ends at 2 GiB and is aligned
 * to 16 bytes only; {@link #slice} gives views of up to 2 GiB. A view must not be used once the map
 * is closed: its pages are gone.
 *
 * <p>Close buffer pools over a map before the map, imports before the device, and imports before
 * the map that they come from: DOCA refuses the first two in another order, and a copy from memory
 * whose owner has taken it back fails.
 */
public final class MemoryMap implements AutoCloseable {
  private final ProgressEngine engine;
  private final Device device;
  private final long address;
  private final long bytes;
  private final long pointer;
  private final boolean imported;
  private boolean closed;

  private MemoryMap(
      ProgressEngine engine,
      Device device,
      long address,
      long bytes,
      long pointer,
      boolean imported) {
    this.engine = engine;
    this.device = device;
    this.address = address;
    this.bytes = bytes;
    this.pointer = pointer;
    this.imported = imported;
    engine.census().opened(Census.Resource.MEMORY_MAP);
  }

  /**
   * Allocates and registers memory that only this process's device and program use.
   *
   * @param bytes more than 0
   * @throws OutOfMemoryError when the machine has no such memory
   * @throws DocaException when the device takes no more
   */
  public static MemoryMap allocate(ProgressEngine engine, Device device, long bytes) {
    return allocate(engine, device, bytes, EnumSet.of(Permission.LOCAL_READ_WRITE));
  }

  /**
   * Allocates and registers memory.
   *
   * @param bytes more than 0
   * @param permissions what devices may do with it; the program may do everything
   * @throws OutOfMemoryError when the machine has no such memory
   * @throws DocaException when the device takes no more; INVALID_VALUE when permissions exclude
   *     each other
   */
  public static MemoryMap allocate(
      ProgressEngine engine, Device device, long bytes, Set<Permission> permissions) {
    engine.checkThread("MemoryMap.allocate");
    if (bytes <= 0) {
      throw new IllegalArgumentException("a memory map of " + bytes + " bytes");
    }
    long dev = device.pointer();
    long address = PageMemory.allocate(bytes);
    try {
      String about = bytes + " bytes on " + device + " with " + permissions;
      long pointer = register(dev, address, bytes, Permission.mask(permissions), about);
      return new MemoryMap(engine, device, address, bytes, pointer, false);
    } catch (DocaException e) {
      PageMemory.free(address, bytes);
      throw e;
    }
  }

  private static long register(long dev, long address, long bytes, int mask, String about) {
    long[] map = new long[1];
    DocaException.check("doca_mmap_create", DocaCommon.doca_mmap_create(map), about);
    try {
      DocaException.check(
          "doca_mmap_set_memrange",
          DocaCommon.doca_mmap_set_memrange(map[0], address, bytes),
          about);
      DocaException.check("doca_mmap_add_dev", DocaCommon.doca_mmap_add_dev(map[0], dev), about);
      DocaException.check(
          "doca_mmap_set_permissions", DocaCommon.doca_mmap_set_permissions(map[0], mask), about);
      DocaException.check("doca_mmap_start", DocaCommon.doca_mmap_start(map[0]), about);
      return map[0];
    } catch (DocaException e) {
      Suppressed.add(e, "doca_mmap_destroy", DocaCommon.doca_mmap_destroy(map[0]));
      throw e;
    }
  }

  /**
   * Makes the memory of another process known to a device of this one.
   *
   * @param device the one whose contexts will use it
   * @param export what the owner's {@link #export} gave
   * @throws DocaException when it is no export, is damaged, or its owner has taken it back; or when
   *     the device cannot import
   */
  public static MemoryMap imported(ProgressEngine engine, Device device, MemoryExport export) {
    engine.checkThread("MemoryMap.imported");
    String about = export + " on " + device;
    long pointer = createFromExport(device.pointer(), export, about);
    try {
      long[] address = new long[1];
      long[] bytes = new long[1];
      DocaException.check(
          "doca_mmap_get_memrange",
          DocaCommon.doca_mmap_get_memrange(pointer, address, bytes),
          about);
      return new MemoryMap(engine, device, address[0], bytes[0], pointer, true);
    } catch (DocaException e) {
      Suppressed.add(e, "doca_mmap_destroy", DocaCommon.doca_mmap_destroy(pointer));
      throw e;
    }
  }

  private static long createFromExport(long dev, MemoryExport export, String about) {
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

  /**
   * Makes this memory known to the other side of the PCI bus, within its permissions, until it is
   * closed.
   *
   * @throws DocaException NOT_PERMITTED without {@link Permission#PCI_READ_ONLY} or {@link
   *     Permission#PCI_READ_WRITE}, or when this is imported itself
   */
  public MemoryExport export() {
    engine.checkThread("MemoryMap.export");
    long[] descriptor = new long[1];
    long[] length = new long[1];
    DocaException.check(
        "doca_mmap_export_pci",
        DocaCommon.doca_mmap_export_pci(pointer(), device.pointer(), descriptor, length),
        this + " on " + device);
    byte[] copy = new byte[Math.toIntExact(length[0])];
    DpuBridge.view(descriptor[0], copy.length).get(copy);
    return MemoryExport.of(copy);
  }

  /** Where the memory begins, a multiple of the page size; in its owner's process if imported. */
  public long address() {
    return address;
  }

  /** How much there is. */
  public long bytes() {
    return bytes;
  }

  /** Whether this is memory of another process, which has no views here. */
  public boolean isImported() {
    return imported;
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
   * @throws IllegalStateException when the memory is imported
   */
  public ByteBuffer slice(long offset, int length) {
    engine.checkThread("slice");
    checkOpen("slice");
    if (imported) {
      throw new IllegalStateException("slice: " + this + " is reached by the device only");
    }
    Objects.checkFromIndexSize(offset, length, bytes);
    return DpuBridge.view(address + offset, length);
  }

  private void checkOpen(String operation) {
    if (closed) {
      throw new IllegalStateException(operation + ": " + this + " is closed");
    }
  }

  /**
   * Takes the registration back and frees the memory, unless it is another process's. Idempotent.
   *
   * @throws DocaException NOT_PERMITTED while buffers point into it; may be called again
   */
  @Override
  public void close() {
    if (unregister() && !imported) {
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
    return (imported ? "imported memory map of " : "memory map of ") + bytes + " bytes";
  }
}
