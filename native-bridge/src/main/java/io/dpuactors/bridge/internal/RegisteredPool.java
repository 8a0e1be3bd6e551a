package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Pages;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.PoolMemory;
import io.dpuactors.bridge.RemoteMemory;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates pools over a {@link MemoryMap}, and holds the native side of one: the map and an
 * inventory. The buffers are equal windows of the pool's memory ({@link #create}) or of the
 * program's ({@link #of}). Or they are leases of all of a map's memory, each aimed at a part
 * ({@link #imported}, {@link #over}). Thread: the engine's.
 */
public final class RegisteredPool implements PoolMemory {
  private static final int CACHE_LINE = 64;
  private static final int PAGE = 4096;

  private final ProgressEngine engine;
  private final MemoryMap map;
  private final boolean ownsMap;
  private final BufferInventory inventory;
  private final int count;
  private final int bufferBytes;

  /** Distance of two windows; 0 if every buffer is a lease of all of the memory. */
  private final long stride;

  private RegisteredPool(
      ProgressEngine engine,
      MemoryMap map,
      boolean ownsMap,
      int count,
      int bufferBytes,
      long stride) {
    this.engine = engine;
    this.map = map;
    this.ownsMap = ownsMap;
    this.count = count;
    this.bufferBytes = bufferBytes;
    this.stride = stride;
    this.inventory = BufferInventory.create(engine, count, describe(count, bufferBytes));
  }

  /**
   * Allocates and registers a pool that only this process's device and program use.
   *
   * @param count number of buffers, more than 0
   * @param bufferBytes size of each window, more than 0
   */
  public static BufferPool create(
      ProgressEngine engine, Device device, int count, int bufferBytes) {
    return create(engine, device, count, bufferBytes, MemoryOptions.defaults());
  }

  /**
   * Allocates and registers a pool whose memory other processes may use as well, see {@link
   * BufferPool#export}.
   *
   * @param permissions allowed accesses of devices to the memory
   */
  public static BufferPool create(
      ProgressEngine engine,
      Device device,
      int count,
      int bufferBytes,
      Set<Permission> permissions) {
    return create(
        engine, device, count, bufferBytes, MemoryOptions.defaults().withPermissions(permissions));
  }

  /**
   * Allocates and registers a pool.
   *
   * @param count number of buffers, more than 0
   * @param bufferBytes size of each window, more than 0
   * @param options requested kind of memory; {@link #pages} returns the kind that was allocated
   * @throws DocaException when the device accepts no more memory
   */
  public static BufferPool create(
      ProgressEngine engine, Device device, int count, int bufferBytes, MemoryOptions options) {
    engine.checkThread("RegisteredPool.create");
    long bytes = bytes(count, bufferBytes);
    return owning(engine, MemoryMap.allocate(engine, device, bytes, options), count, bufferBytes);
  }

  /**
   * Divides registered memory into a pool. The pool does not own the map: close the pool first.
   * {@link BufferPool#export} defines where buffer {@code i} begins.
   *
   * @param map of this process, with room for all windows
   */
  public static BufferPool of(ProgressEngine engine, MemoryMap map, int count, int bufferBytes) {
    return windows(engine, map, false, count, bufferBytes);
  }

  /** Works as {@link #of}, but the pool closes the map, too; also if creating the pool fails. */
  public static BufferPool owning(
      ProgressEngine engine, MemoryMap map, int count, int bufferBytes) {
    return owning(map, owned -> windows(engine, owned, true, count, bufferBytes));
  }

  /**
   * Imports memory for a pool, which closes the import when it is closed.
   *
   * @param leases maximum number of simultaneous leases, more than 0
   * @throws DocaException as {@link MemoryMap#imported}, or when the device accepts no more memory
   */
  public static BufferPool imported(
      ProgressEngine engine, Device device, MemoryExport export, int leases) {
    return owning(
        MemoryMap.imported(engine, device, export), owned -> aimed(engine, owned, true, leases));
  }

  /**
   * Imports memory of an RDMA peer for a pool, which closes the import when it is closed.
   *
   * @param leases maximum number of simultaneous leases, more than 0
   * @throws DocaException as {@link MemoryMap#imported}, or when the device accepts no more memory
   */
  public static BufferPool imported(
      ProgressEngine engine, Device device, RemoteMemory memory, int leases) {
    return owning(
        MemoryMap.imported(engine, device, memory), owned -> aimed(engine, owned, true, leases));
  }

  /**
   * Leases all of a map's memory several times, so that several tasks can use the same part. The
   * pool does not own the map: close the pool first.
   *
   * @param map imported, or of this process
   * @param count maximum number of simultaneous leases, more than 0
   */
  public static BufferPool over(ProgressEngine engine, MemoryMap map, int count) {
    return aimed(engine, map, false, count);
  }

  /** Returns the map of a pool. */
  public static MemoryMap mapOf(BufferPool pool) {
    return ((RegisteredPool) pool.memory()).map;
  }

  /** Creates a pool that closes its map; closes the map if creating the pool fails. */
  private static BufferPool owning(MemoryMap map, Function<MemoryMap, BufferPool> opening) {
    try {
      return opening.apply(map);
    } catch (DocaException | IllegalArgumentException | OutOfMemoryError e) {
      Suppressed.run(e, map::close);
      throw e;
    }
  }

  /** Creates equal windows of memory of this process, from its beginning. */
  private static BufferPool windows(
      ProgressEngine engine, MemoryMap map, boolean ownsMap, int count, int bufferBytes) {
    engine.checkThread("RegisteredPool.of");
    long stride = strideOf(bufferBytes);
    if (map.isImported() || bytes(count, bufferBytes) - stride + bufferBytes > map.bytes()) {
      throw new IllegalArgumentException(
          "%d buffers of %d bytes do not lie in the %s".formatted(count, bufferBytes, map));
    }
    return new RegisteredPool(engine, map, ownsMap, count, bufferBytes, stride).open(bufferBytes);
  }

  /** Creates leases, each of all of a map's memory. */
  private static BufferPool aimed(
      ProgressEngine engine, MemoryMap map, boolean ownsMap, int count) {
    engine.checkThread("RegisteredPool.over");
    if (count <= 0) {
      throw new IllegalArgumentException("a buffer pool of " + count + " leases over " + map);
    }
    int reach = (int) Math.min(map.bytes(), Integer.MAX_VALUE);
    return new RegisteredPool(engine, map, ownsMap, count, reach, 0).open(map.bytes());
  }

  private BufferPool open(long windowBytes) {
    try {
      for (int i = 0; i < count; i++) {
        inventory.take(map, address(i), windowBytes);
      }
      return BufferPool.of(this);
    } catch (DocaException | OutOfMemoryError e) {
      Suppressed.run(e, inventory::close);
      throw e;
    }
  }

  /** Returns the bytes of memory for the windows. */
  private static long bytes(int count, int bufferBytes) {
    if (count <= 0 || bufferBytes <= 0) {
      throw new IllegalArgumentException("a " + describe(count, bufferBytes));
    }
    return count * strideOf(bufferBytes);
  }

  /**
   * Returns the distance of windows. Windows share no cache line; windows of a page or more, no
   * page.
   */
  private static long strideOf(int bufferBytes) {
    long unit = bufferBytes >= PAGE ? PAGE : CACHE_LINE;
    return (bufferBytes + unit - 1) / unit * unit;
  }

  private static String describe(int count, int bufferBytes) {
    return "buffer pool of " + count + " x " + bufferBytes + " bytes";
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int bufferBytes() {
    return bufferBytes;
  }

  @Override
  public @Nullable ByteBuffer view(int index) {
    return stride == 0 ? null : map.slice(index * stride, bufferBytes);
  }

  @Override
  public long address(int index) {
    return map.address() + index * stride;
  }

  @Override
  public long pointer(int index) {
    return inventory.pointer(index);
  }

  @Override
  public long bytes() {
    return map.bytes();
  }

  @Override
  public long replace(int index, long address, long bytes) {
    return inventory.replace(index, map, address, bytes);
  }

  @Override
  public void chain(long head, long next, String about) {
    BufferInventory.chain(head, next, about);
  }

  @Override
  public void unchain(long before, long next, String about) {
    BufferInventory.unchain(before, next, about);
  }

  @Override
  public void content(long pointer, long address, long bytes, String about) {
    BufferInventory.content(pointer, address, bytes, about);
  }

  @Override
  public long contentBytes(long pointer, String about) {
    return BufferInventory.contentBytes(pointer, about);
  }

  @Override
  public Pages pages() {
    return map.pages();
  }

  @Override
  public MemoryExport export() {
    return map.export();
  }

  @Override
  public RemoteMemory exportToPeers() {
    return map.exportToPeers();
  }

  @Override
  public Set<Permission> grantedByPeer() {
    return map.isImported() ? map.permissions() : Set.of();
  }

  @Override
  public Census census() {
    return engine.census();
  }

  @Override
  public void checkThread(String operation) {
    engine.checkThread(operation);
  }

  @Override
  public void close(boolean keepsMapped) {
    inventory.close();
    if (ownsMap && keepsMapped) {
      map.unregister();
    } else if (ownsMap) {
      map.close();
    }
  }
}
