package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DocaCommon;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jctools.queues.MpmcArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of buffers in one {@link MemoryMap}, each with one {@code doca_buf} for the pool's
 * life: equal windows of memory of its own ({@link #create}), or so many leases of imported memory,
 * each to be aimed at the part that is meant ({@link #imported}, {@link #over}).
 *
 * <p>Thread: create and close belong to the engine's; {@link #lease} and {@link Buffer#release} may
 * be called on any, take no lock and allocate nothing. With the system property {@code
 * dpu.lease.debug=true} when the pool is created, every lease remembers who took and who returned
 * it, which costs a stack trace each.
 */
public final class BufferPool implements AutoCloseable {
  private static final int CACHE_LINE = 64;
  private static final int PAGE = 4096;
  private static final int NAMED_LEASES = 16;

  private final ProgressEngine engine;
  private final int bufferBytes;
  private final boolean debugsLeases = Boolean.getBoolean("dpu.lease.debug");
  private final MemoryMap map;
  private final boolean ownsMap;
  private final long inventory;
  private final List<Buffer> buffers = new ArrayList<>();
  private final MpmcArrayQueue<Buffer> idle;
  private final IntSupplier leases = this::countLeased;
  private int buffersToFree;
  private boolean inventoryDestroyed;
  private int lost;
  private boolean finished;
  private volatile boolean closed;

  /** Puts the windows of a new pool into its memory. */
  private interface Filler {
    void fill(BufferPool pool);
  }

  private BufferPool(
      ProgressEngine engine,
      MemoryMap map,
      boolean ownsMap,
      long inventory,
      int count,
      int bufferBytes) {
    this.engine = engine;
    this.map = map;
    this.ownsMap = ownsMap;
    this.inventory = inventory;
    this.bufferBytes = bufferBytes;
    this.idle = new MpmcArrayQueue<>(Math.max(2, count));
  }

  /**
   * Allocates and registers a pool.
   *
   * @param count how many buffers, more than 0
   * @param bufferBytes size of each window, more than 0
   * @throws DocaException when the device takes no more
   */
  public static BufferPool create(
      ProgressEngine engine, Device device, int count, int bufferBytes) {
    return create(engine, device, count, bufferBytes, EnumSet.of(Permission.LOCAL_READ_WRITE));
  }

  /**
   * Allocates and registers a pool whose memory others may use as well, see {@link #export}.
   *
   * @param count how many buffers, more than 0
   * @param bufferBytes size of each window, more than 0
   * @param permissions what devices may do with the memory
   * @throws DocaException when the device takes no more
   */
  public static BufferPool create(
      ProgressEngine engine,
      Device device,
      int count,
      int bufferBytes,
      Set<Permission> permissions) {
    engine.checkThread("BufferPool.create");
    if (count <= 0 || bufferBytes <= 0) {
      throw new IllegalArgumentException(
          "a buffer pool of " + count + " x " + bufferBytes + " bytes");
    }
    long stride = strideOf(bufferBytes);
    MemoryMap map = MemoryMap.allocate(engine, device, count * stride, permissions);
    try {
      return create(engine, map, true, count, bufferBytes, pool -> pool.fill(count, stride));
    } catch (DocaException | OutOfMemoryError e) {
      Suppressed.run(e, map::close);
      throw e;
    }
  }

  /**
   * Imports memory for a pool of its own, which takes the import back when it is closed.
   *
   * @param device the one whose contexts will use it
   * @param leases how many there can be at once, more than 0
   * @throws DocaException as {@link MemoryMap#imported}, or when the device takes no more
   */
  public static BufferPool imported(
      ProgressEngine engine, Device device, MemoryExport export, int leases) {
    MemoryMap map = MemoryMap.imported(engine, device, export);
    try {
      return over(engine, map, true, leases);
    } catch (DocaException | IllegalArgumentException e) {
      Suppressed.run(e, map::close);
      throw e;
    }
  }

  /**
   * Makes imported memory usable in tasks. The pool does not own the map: close the pool first.
   *
   * @param imported what every lease can be aimed at
   * @param count how many leases there can be at once, more than 0
   * @throws DocaException when the device takes no more
   */
  public static BufferPool over(ProgressEngine engine, MemoryMap imported, int count) {
    return over(engine, imported, false, count);
  }

  private static BufferPool over(
      ProgressEngine engine, MemoryMap imported, boolean ownsMap, int count) {
    engine.checkThread("BufferPool.over");
    if (count <= 0 || !imported.isImported()) {
      throw new IllegalArgumentException("a buffer pool of " + count + " leases over " + imported);
    }
    int reach = (int) Math.min(imported.bytes(), Integer.MAX_VALUE);
    return create(engine, imported, ownsMap, count, reach, pool -> pool.fillImported(count));
  }

  private static BufferPool create(
      ProgressEngine engine,
      MemoryMap map,
      boolean ownsMap,
      int count,
      int bufferBytes,
      Filler filler) {
    String about = "buffer pool of " + count + " x " + bufferBytes + " bytes";
    long[] inventory = new long[1];
    DocaException.check(
        "doca_buf_inventory_create", DocaCommon.doca_buf_inventory_create(count, inventory), about);
    engine.census().opened(Census.Resource.BUFFER_INVENTORY);
    BufferPool pool = new BufferPool(engine, map, ownsMap, inventory[0], count, bufferBytes);
    try {
      DocaException.check(
          "doca_buf_inventory_start", DocaCommon.doca_buf_inventory_start(inventory[0]), about);
      filler.fill(pool);
    } catch (DocaException | OutOfMemoryError e) {
      Suppressed.run(e, pool::free);
      throw e;
    }
    engine.census().opened(Census.Resource.BUFFER_POOL);
    engine.census().watch(Census.Resource.LEASE, pool.leases);
    return pool;
  }

  /** Windows share no cache line, and no page when they are as large. */
  private static long strideOf(int bufferBytes) {
    long unit = bufferBytes >= PAGE ? PAGE : CACHE_LINE;
    return (bufferBytes + unit - 1) / unit * unit;
  }

  private void fill(int count, long stride) {
    for (int i = 0; i < count; i++) {
      long address = map.address() + i * stride;
      long buf = takeBuf(i, address, bufferBytes);
      add(new Buffer(this, i, map, address, buf, map.slice(i * stride, bufferBytes)));
    }
  }

  private void fillImported(int count) {
    for (int i = 0; i < count; i++) {
      add(new Buffer(this, i, map, takeBuf(i, map.address(), map.bytes())));
    }
  }

  private long takeBuf(int index, long address, long bytes) {
    long[] buf = new long[1];
    DocaException.check(
        "doca_buf_inventory_buf_get_by_args",
        DocaCommon.doca_buf_inventory_buf_get_by_args(
            inventory, map.pointer(), address, bytes, address, 0, buf),
        "buffer " + index + " of " + this);
    return buf[0];
  }

  private void add(Buffer buffer) {
    buffers.add(buffer);
    buffersToFree++;
    idle.offer(buffer);
  }

  /**
   * Leases a buffer with empty content. Any thread.
   *
   * @return null when all are leased
   * @throws IllegalStateException when the pool is closed
   */
  public @Nullable Buffer lease() {
    if (closed) {
      throw new IllegalStateException("lease: " + this + " is closed");
    }
    Buffer buffer = idle.poll();
    if (buffer != null) {
      buffer.beginLease();
    }
    return buffer;
  }

  /** The memory that the buffers are in; consumers need it. */
  public MemoryMap memory() {
    return map;
  }

  /** How many buffers there are. */
  public int capacity() {
    return buffers.size();
  }

  /** How many could be leased a moment ago. Any thread. */
  public int available() {
    return closed ? 0 : idle.size();
  }

  /** Size of each window; for imported memory the most that one can be aimed at. */
  public int bufferBytes() {
    return bufferBytes;
  }

  /**
   * Makes the pool's memory known to the other side of the PCI bus, until the pool is closed.
   * Buffer {@code i} begins at {@code i} times the size of a window, rounded up to 64 bytes, or to
   * 4096 when it is at least as large.
   *
   * @throws DocaException as {@link MemoryMap#export}
   * @throws IllegalStateException when the pool is closed
   */
  public MemoryExport export() {
    engine.checkThread("export");
    if (closed) {
      throw new IllegalStateException("export: " + this + " is closed");
    }
    return map.export();
  }

  /**
   * Frees the buffers, their inventory, and if it is the pool's own the map with its memory, in
   * this order. Idempotent.
   *
   * @throws IllegalStateException naming the buffers that are not back; with the stacks of their
   *     holders as suppressed exceptions while leases are debugged. The pool stays as it is.
   */
  @Override
  public void close() {
    engine.checkThread("close");
    if (!closed) {
      List<Buffer> back = takeIdle();
      if (back.size() < buffers.size()) {
        IllegalStateException failure = stillLeased(buffers.size() - back.size());
        back.forEach(idle::offer);
        throw failure;
      }
      closed = true;
    }
    finish();
  }

  /**
   * Closes the pool although leases were lost. To be called when no context can touch its buffers
   * any more. The memory of a pool with lost leases is never given back, so that a late holder
   * reads stale bytes instead of nothing; the leases stay in the census until they are released.
   *
   * @return how many were lost; 0 makes this a {@link #close}
   */
  public int closeAfterLoss() {
    engine.checkThread("closeAfterLoss");
    if (!closed) {
      closed = true;
      lost = buffers.size() - takeIdle().size();
    }
    finish();
    return lost;
  }

  /** Frees what is not freed yet; once is enough, but a call that failed may be repeated. */
  private void finish() {
    if (finished) {
      return;
    }
    free();
    if (lost == 0) {
      engine.census().unwatch(leases);
    }
    if (ownsMap && lost == 0) {
      map.close();
    } else if (ownsMap) {
      map.unregister();
    }
    engine.census().closed(Census.Resource.BUFFER_POOL);
    finished = true;
  }

  /** Ends a lease. Any thread. */
  void takeBack(Buffer buffer) {
    if (!closed) {
      idle.offer(buffer);
    }
  }

  boolean debugsLeases() {
    return debugsLeases;
  }

  private List<Buffer> takeIdle() {
    List<Buffer> taken = new ArrayList<>();
    for (Buffer buffer = idle.poll(); buffer != null; buffer = idle.poll()) {
      taken.add(buffer);
    }
    return taken;
  }

  private int countLeased() {
    return (int) leased().count();
  }

  private Stream<Buffer> leased() {
    return buffers.stream().filter(Buffer::isLeased);
  }

  private IllegalStateException stillLeased(int missing) {
    String named =
        leased()
            .limit(NAMED_LEASES)
            .map(buffer -> String.valueOf(buffer.index()))
            .collect(Collectors.joining(", "));
    IllegalStateException failure =
        new IllegalStateException(
            "close: " + missing + " buffers of the " + this + " are still leased: " + named);
    leased()
        .limit(NAMED_LEASES)
        .map(Buffer::leasedAt)
        .forEach(
            trace -> {
              if (trace != null) {
                failure.addSuppressed(trace);
              }
            });
    return failure;
  }

  /** Gives back what DOCA has of this pool; continues where it failed when called again. */
  private void free() {
    while (buffersToFree > 0) {
      Buffer last = buffers.get(buffersToFree - 1);
      DocaException.check(
          "doca_buf_dec_refcount",
          DocaCommon.doca_buf_dec_refcount(last.pointer(), null),
          last + " of " + this);
      buffersToFree--;
    }
    if (!inventoryDestroyed) {
      DocaException.check(
          "doca_buf_inventory_destroy",
          DocaCommon.doca_buf_inventory_destroy(inventory),
          toString());
      inventoryDestroyed = true;
      engine.census().closed(Census.Resource.BUFFER_INVENTORY);
    }
  }

  @Override
  public String toString() {
    return "buffer pool of " + buffers.size() + " x " + bufferBytes + " bytes";
  }
}
