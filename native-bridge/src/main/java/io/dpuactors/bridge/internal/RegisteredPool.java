package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import java.util.Set;
import java.util.function.Function;

/**
 * Creates pools over a {@link MemoryMap}. The buffers are equal windows of the pool's memory
 * ({@link #create}) or of the program's ({@link #of}). Or they are leases of all of a map's memory,
 * each aimed at a part ({@link #imported}, {@link #over}). Thread: the engine's.
 */
public final class RegisteredPool {
  private static final int CACHE_LINE = 64;
  private static final int PAGE = 4096;

  private RegisteredPool() {}

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
   * @param options requested kind of memory; {@link MemoryMap#pages} returns the actual kind
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
    return ((RegisteredMemory) pool.memory()).map();
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
    return new RegisteredMemory(engine, map, ownsMap, count, bufferBytes, stride).open(bufferBytes);
  }

  /** Creates leases, each of all of a map's memory. */
  private static BufferPool aimed(
      ProgressEngine engine, MemoryMap map, boolean ownsMap, int count) {
    engine.checkThread("RegisteredPool.over");
    if (count <= 0) {
      throw new IllegalArgumentException("a buffer pool of " + count + " leases over " + map);
    }
    int reach = (int) Math.min(map.bytes(), Integer.MAX_VALUE);
    return new RegisteredMemory(engine, map, ownsMap, count, reach, 0).open(map.bytes());
  }

  /** Returns the bytes of memory for the windows. */
  private static long bytes(int count, int bufferBytes) {
    if (count <= 0 || bufferBytes <= 0) {
      throw new IllegalArgumentException("a " + RegisteredMemory.describe(count, bufferBytes));
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
}
