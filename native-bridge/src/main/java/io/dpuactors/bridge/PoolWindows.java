package io.dpuactors.bridge;

/** Divides memory into the buffers of a pool. Engine's thread. */
final class PoolWindows {
  private static final int CACHE_LINE = 64;
  private static final int PAGE = 4096;

  /** Creates the next buffer of a pool. */
  private interface Maker {
    Buffer make(BufferPool pool, int index);
  }

  /** Creates a pool over a map. */
  interface Opening {
    BufferPool open(MemoryMap map);
  }

  private PoolWindows() {}

  /** Creates a pool that closes its map; closes the map if creating the pool fails. */
  static BufferPool owning(MemoryMap map, Opening opening) {
    try {
      return opening.open(map);
    } catch (DocaException | IllegalArgumentException | OutOfMemoryError e) {
      Suppressed.run(e, map::close);
      throw e;
    }
  }

  /** Creates equal windows of memory of this process, from its beginning. */
  static BufferPool cut(
      ProgressEngine engine, MemoryMap map, boolean ownsMap, int count, int bufferBytes) {
    engine.checkThread("BufferPool.of");
    long stride = strideOf(bufferBytes);
    if (map.isImported() || bytes(count, bufferBytes) - stride + bufferBytes > map.bytes()) {
      throw new IllegalArgumentException(
          "%d buffers of %d bytes do not lie in the %s".formatted(count, bufferBytes, map));
    }
    String about = describe(count, bufferBytes);
    BufferInventory inventory = BufferInventory.create(engine, count, about);
    return fill(
        new BufferPool(engine, map, ownsMap, inventory, count, bufferBytes),
        inventory,
        count,
        (pool, i) -> {
          long address = map.address() + i * stride;
          long buf = inventory.take(map, address, bufferBytes);
          return new Buffer(pool, i, map, address, buf, map.slice(i * stride, bufferBytes));
        });
  }

  /** Creates leases, each of all of a map's memory. */
  static BufferPool aimed(ProgressEngine engine, MemoryMap map, boolean ownsMap, int count) {
    engine.checkThread("BufferPool.over");
    if (count <= 0) {
      throw new IllegalArgumentException("a buffer pool of " + count + " leases over " + map);
    }
    int reach = (int) Math.min(map.bytes(), Integer.MAX_VALUE);
    BufferInventory inventory = BufferInventory.create(engine, count, describe(count, reach));
    return fill(
        new BufferPool(engine, map, ownsMap, inventory, count, reach),
        inventory,
        count,
        (pool, i) -> new Buffer(pool, i, map, inventory.take(map, map.address(), map.bytes())));
  }

  private static BufferPool fill(
      BufferPool pool, BufferInventory inventory, int count, Maker maker) {
    try {
      for (int i = 0; i < count; i++) {
        pool.add(maker.make(pool, i));
      }
    } catch (DocaException | OutOfMemoryError e) {
      Suppressed.run(e, inventory::close);
      throw e;
    }
    pool.opened();
    return pool;
  }

  /** Returns the bytes of memory for the windows. */
  static long bytes(int count, int bufferBytes) {
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

  static String describe(int count, int bufferBytes) {
    return "buffer pool of " + count + " x " + bufferBytes + " bytes";
  }
}
