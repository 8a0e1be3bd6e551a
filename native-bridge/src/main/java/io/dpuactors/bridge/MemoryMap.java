package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;

/**
 * Memory that is registered with a device. Thread: the engine's.
 *
 * <ul>
 *   <li>{@link #allocate Allocated}: outside of the Java heap, aligned to a page, zeroed, of any
 *       size that the machine has; device and program read and write it.
 *   <li>{@link #over The program's own}: a direct buffer, which stays the program's and is kept
 *       from the garbage collector while the map is open.
 *   <li>{@link #imported Imported}: memory of another process or of the other side of the PCI bus.
 *       The device reaches it, the program does not: its addresses are the owner's, and it has no
 *       views.
 * </ul>
 *
 * <p>The first two can be made known to others: {@link #export}. Allocated pages come from {@code
 * mmap(2)}, because a Java direct buffer ends at 2 GiB and is aligned to 16 bytes only; {@link
 * #slice} gives views of up to 2 GiB. A view of allocated memory must not be used once the map is
 * closed: its pages are gone.
 *
 * <p>Close buffer pools over a map before the map, imports before the device, and imports before
 * the map that they come from: DOCA refuses the first two in another order, and a copy from memory
 * whose owner has taken it back fails.
 */
public final class MemoryMap implements AutoCloseable {
  private final ProgressEngine engine;
  private final Device device;
  private final Backing backing;
  private final long pointer;
  private boolean closed;

  private MemoryMap(ProgressEngine engine, Device device, Backing backing, long pointer) {
    this.engine = engine;
    this.device = device;
    this.backing = backing;
    this.pointer = pointer;
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
    return allocate(engine, device, bytes, MemoryOptions.defaults());
  }

  /**
   * Allocates and registers memory on ordinary pages.
   *
   * @param permissions what devices may do with it; the program may do everything
   */
  public static MemoryMap allocate(
      ProgressEngine engine, Device device, long bytes, Set<Permission> permissions) {
    return allocate(engine, device, bytes, MemoryOptions.defaults().withPermissions(permissions));
  }

  /**
   * Allocates and registers memory.
   *
   * @param bytes more than 0
   * @param options what kind of memory; what came of it, {@link #pages} says
   * @throws OutOfMemoryError when the machine has no such memory
   * @throws DocaException when the device takes no more; INVALID_VALUE when permissions exclude
   *     each other
   */
  public static MemoryMap allocate(
      ProgressEngine engine, Device device, long bytes, MemoryOptions options) {
    engine.checkThread("MemoryMap.allocate");
    if (bytes <= 0) {
      throw new IllegalArgumentException("a memory map of " + bytes + " bytes");
    }
    device.pointer(); // throws before anything is allocated
    return register(
        engine, device, Backing.allocate(bytes, options.hugePages()), options.permissions());
  }

  /**
   * Registers memory of the program's: what lies between the buffer's position and its limit. It
   * may lie anywhere and stays the program's, to read and write and to use otherwise; the map keeps
   * the buffer alive while it is open. Memory that is given back by other means than the garbage
   * collector, such as a foreign library's, must outlive the map.
   *
   * @param users a direct buffer, not empty; a read-only one only without permission to write
   * @param permissions what devices may do with it
   * @throws DocaException when the device takes no more; INVALID_VALUE when permissions exclude
   *     each other
   */
  public static MemoryMap over(
      ProgressEngine engine, Device device, ByteBuffer users, Set<Permission> permissions) {
    engine.checkThread("MemoryMap.over");
    return register(engine, device, Backing.of(users, permissions), permissions);
  }

  private static MemoryMap register(
      ProgressEngine engine, Device device, Backing backing, Set<Permission> permissions) {
    String about = backing.bytes() + " bytes on " + device + " with " + permissions;
    try {
      long pointer = Registration.of(device.pointer(), backing, permissions, about);
      return new MemoryMap(engine, device, backing, pointer);
    } catch (DocaException | IllegalStateException e) {
      backing.free();
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
    long pointer = Registration.imported(device.pointer(), export, about);
    try {
      long[] address = new long[1];
      long[] bytes = new long[1];
      DocaException.check(
          "doca_mmap_get_memrange",
          DocaCommon.doca_mmap_get_memrange(pointer, address, bytes),
          about);
      return new MemoryMap(engine, device, Backing.imported(address[0], bytes[0]), pointer);
    } catch (DocaException e) {
      Suppressed.add(e, "doca_mmap_destroy", DocaCommon.doca_mmap_destroy(pointer));
      throw e;
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

  /**
   * Where the memory begins, if allocated at a multiple of the page size; in its owner's process if
   * imported.
   */
  public long address() {
    return backing.address();
  }

  /** How much there is. */
  public long bytes() {
    return backing.bytes();
  }

  /** Whether this is memory of another process, which has no views here. */
  public boolean isImported() {
    return backing.isImported();
  }

  /** What the memory lies on. */
  public Pages pages() {
    return backing.pages();
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
    if (isImported()) {
      throw new IllegalStateException("slice: " + this + " is reached by the device only");
    }
    Objects.checkFromIndexSize(offset, length, bytes());
    return backing.view(offset, length);
  }

  private void checkOpen(String operation) {
    if (closed) {
      throw new IllegalStateException(operation + ": " + this + " is closed");
    }
  }

  /**
   * Takes the registration back and frees the memory, unless it is the program's own or another
   * process's. Idempotent.
   *
   * @throws DocaException NOT_PERMITTED while buffers point into it; may be called again
   */
  @Override
  public void close() {
    if (unregister()) {
      backing.free();
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
    return (isImported() ? "imported memory map of " : "memory map of ") + bytes() + " bytes";
  }
}
