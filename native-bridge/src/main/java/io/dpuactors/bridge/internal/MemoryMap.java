package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Pages;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;

/**
 * Memory registered with a device. Thread: the engine's.
 *
 * <ul>
 *   <li>{@link #allocate Allocated}: outside of the Java heap, aligned to a page, zeroed; device
 *       and program read and write it.
 *   <li>{@link #over The program's}: a direct buffer of the program; the open map keeps it from the
 *       garbage collector.
 *   <li>{@link #imported Imported}: memory of another process or of the other side of the PCI bus.
 *       Only the device accesses it: the addresses belong to the owner, and the map has no views.
 * </ul>
 *
 * <p>{@link #export} makes the first two kinds accessible to others. Allocated pages come from
 * {@code mmap(2)}, because a Java direct buffer is limited to 2 GiB and aligned to 16 bytes only;
 * {@link #slice} returns views of up to 2 GiB. A view of allocated memory must not be used after
 * the map is closed, because its pages are unmapped.
 *
 * <p>Close buffer pools over a map before the map, imports before the device, and imports before
 * the exported map. DOCA refuses another order of the first two; a copy from memory that its owner
 * has closed fails.
 */
public final class MemoryMap implements AutoCloseable {
  private final ProgressEngine engine;
  private final Device device;
  private final Backing backing;
  private final long pointer;
  private final Set<Permission> permissions;
  private boolean closed;

  private MemoryMap(
      ProgressEngine engine,
      Device device,
      Backing backing,
      long pointer,
      Set<Permission> permissions) {
    this.engine = engine;
    this.device = device;
    this.backing = backing;
    this.pointer = pointer;
    this.permissions = permissions;
    engine.census().opened(Census.Resource.MEMORY_MAP);
  }

  /**
   * Allocates and registers memory for this process's device and program.
   *
   * @param bytes more than 0
   * @throws OutOfMemoryError if the machine has no such memory
   * @throws DocaException if the device cannot register it
   */
  public static MemoryMap allocate(ProgressEngine engine, Device device, long bytes) {
    return allocate(engine, device, bytes, MemoryOptions.defaults());
  }

  /**
   * Allocates and registers memory on ordinary pages.
   *
   * @param permissions accesses that devices may make; the program has full access
   */
  public static MemoryMap allocate(
      ProgressEngine engine, Device device, long bytes, Set<Permission> permissions) {
    return allocate(engine, device, bytes, MemoryOptions.defaults().withPermissions(permissions));
  }

  /**
   * Allocates and registers memory.
   *
   * @param bytes more than 0
   * @param options requested kind of memory; {@link #pages} returns the actual kind
   * @throws OutOfMemoryError if the machine has no such memory
   * @throws DocaException if the device cannot register it; INVALID_VALUE for contradictory
   *     permissions
   */
  public static MemoryMap allocate(
      ProgressEngine engine, Device device, long bytes, MemoryOptions options) {
    engine.checkThread("MemoryMap.allocate");
    if (bytes <= 0) {
      throw new IllegalArgumentException("a memory map of " + bytes + " bytes");
    }
    device.pointer(); // throws before any allocation
    return register(
        engine, device, Backing.allocate(bytes, options.hugePages()), options.permissions());
  }

  /**
   * Registers memory of the program: the bytes between the buffer's position and its limit. The
   * program may continue to use it. The open map keeps the buffer reachable. Memory that other code
   * frees, such as a foreign library, must outlive the map.
   *
   * @param users a direct buffer, not empty; a read-only buffer only without write permissions
   * @param permissions accesses that devices may make
   * @throws DocaException if the device cannot register it; INVALID_VALUE for contradictory
   *     permissions
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
      return new MemoryMap(engine, device, backing, pointer, permissions);
    } catch (DocaException | IllegalStateException e) {
      backing.free();
      throw e;
    }
  }

  /**
   * Imports the memory of another process for a device of this one.
   *
   * @param device the device whose contexts use the memory
   * @param export result of the owner's {@link #export}
   * @throws DocaException if the export is invalid or damaged, its owner has closed the memory, or
   *     the device cannot import
   */
  public static MemoryMap imported(ProgressEngine engine, Device device, MemoryExport export) {
    return imported(engine, device, export, Set.of());
  }

  /**
   * Imports memory of an RDMA peer, which only tasks of RDMA connections access.
   *
   * @throws DocaException as {@link #imported(ProgressEngine, Device, MemoryExport)}
   */
  public static MemoryMap imported(ProgressEngine engine, Device device, RemoteMemory memory) {
    return imported(engine, device, memory.export(), memory.permissions());
  }

  private static MemoryMap imported(
      ProgressEngine engine, Device device, MemoryExport export, Set<Permission> permissions) {
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
      return new MemoryMap(
          engine, device, Backing.imported(address[0], bytes[0]), pointer, permissions);
    } catch (DocaException e) {
      Suppressed.add(e, "doca_mmap_destroy", DocaCommon.doca_mmap_destroy(pointer));
      throw e;
    }
  }

  /**
   * Exports this memory to the other side of the PCI bus, within its permissions, until the map is
   * closed.
   *
   * @throws DocaException NOT_PERMITTED without {@link Permission#PCI_READ_ONLY} or {@link
   *     Permission#PCI_READ_WRITE}, or for imported memory
   */
  public MemoryExport export() {
    engine.checkThread("MemoryMap.export");
    return export("doca_mmap_export_pci", DocaCommon::doca_mmap_export_pci);
  }

  /**
   * Exports this memory to RDMA peers, within its permissions, until the map is closed.
   *
   * @throws DocaException NOT_PERMITTED without a permission of RDMA, or for imported memory
   */
  public RemoteMemory exportToPeers() {
    engine.checkThread("MemoryMap.exportToPeers");
    return new RemoteMemory(
        export("doca_mmap_export_rdma", DocaCommon::doca_mmap_export_rdma), permissions);
  }

  /** A function of DOCA that describes a map. */
  private interface Exporter {
    int export(long map, long dev, long[] descriptor, long[] length);
  }

  private MemoryExport export(String function, Exporter exporter) {
    long[] descriptor = new long[1];
    long[] length = new long[1];
    DocaException.check(
        function,
        exporter.export(pointer(), device.pointer(), descriptor, length),
        this + " on " + device);
    byte[] copy = new byte[Math.toIntExact(length[0])];
    DpuBridge.view(descriptor[0], copy.length).get(copy);
    return MemoryExport.of(copy);
  }

  /** Returns the address of the first byte; of imported memory, in the owner's process. */
  public long address() {
    return backing.address();
  }

  /** Returns the size in bytes. */
  public long bytes() {
    return backing.bytes();
  }

  /** Returns what devices may do; for memory of an RDMA peer, what the peer allows. */
  public Set<Permission> permissions() {
    return permissions;
  }

  /** Returns whether this is memory of another process, without views. */
  public boolean isImported() {
    return backing.isImported();
  }

  /** Returns whether both are registered with the same opened device. */
  boolean isOnDeviceOf(MemoryMap other) {
    return device == other.device;
  }

  /** Returns the kind of pages. */
  public Pages pages() {
    return backing.pages();
  }

  /** The {@code struct doca_mmap *} while it is open. */
  public long pointer() {
    checkOpen("pointer");
    return pointer;
  }

  /**
   * Returns a view of a part, in native byte order.
   *
   * @throws IndexOutOfBoundsException if the part is not inside
   * @throws IllegalStateException if the memory is imported
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
   * Removes the registration. Frees allocated memory; memory of the program or of another process
   * stays. Idempotent.
   *
   * @throws DocaException NOT_PERMITTED while buffers refer to the memory; the caller may try again
   */
  @Override
  public void close() {
    if (unregister()) {
      backing.free();
    }
  }

  /**
   * Removes the registration. The memory stays mapped for ever, because a late reader may still
   * access it. Returns false if the registration was removed before.
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
