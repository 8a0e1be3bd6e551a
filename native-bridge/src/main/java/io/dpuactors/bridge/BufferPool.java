package io.dpuactors.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jctools.queues.MpmcArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of buffers in one {@link MemoryMap}, each with one {@code doca_buf} for the pool's
 * life: equal windows of memory of its own ({@link #create}) or of the program's ({@link #of}), or
 * so many leases of all of a map's memory, each to be aimed at the part that is meant ({@link
 * #imported}, {@link #over}).
 *
 * <p>Thread: create and close belong to the engine's; {@link #lease} and {@link Buffer#release} may
 * be called on any, take no lock and allocate nothing. With the system property {@code
 * dpu.lease.debug=true} when the pool is created, every lease remembers who took and who returned
 * it, which costs a stack trace each.
 */
public final class BufferPool implements AutoCloseable {
  private final ProgressEngine engine;
  private final int bufferBytes;
  private final boolean debugsLeases = Boolean.getBoolean("dpu.lease.debug");
  private final MemoryMap map;
  private final boolean ownsMap;
  private final BufferInventory inventory;
  private final List<Buffer> buffers = new ArrayList<>();
  private final MpmcArrayQueue<Buffer> idle;
  private final IntSupplier leases = this::countLeased;
  private int lost;
  private boolean finished;
  private volatile boolean lends = true;
  private volatile boolean closed;

  BufferPool(
      ProgressEngine engine,
      MemoryMap map,
      boolean ownsMap,
      BufferInventory inventory,
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
   * Allocates and registers a pool that only this process's device and program use.
   *
   * @param count how many buffers, more than 0
   * @param bufferBytes size of each window, more than 0
   */
  public static BufferPool create(
      ProgressEngine engine, Device device, int count, int bufferBytes) {
    return create(engine, device, count, bufferBytes, MemoryOptions.defaults());
  }

  /**
   * Allocates and registers a pool whose memory others may use as well, see {@link #export}.
   *
   * @param permissions what devices may do with the memory
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
   * @param count how many buffers, more than 0
   * @param bufferBytes size of each window, more than 0
   * @param options what kind of memory; what came of it, {@link #memory} knows
   * @throws DocaException when the device takes no more
   */
  public static BufferPool create(
      ProgressEngine engine, Device device, int count, int bufferBytes, MemoryOptions options) {
    engine.checkThread("BufferPool.create");
    long bytes = PoolWindows.bytes(count, bufferBytes);
    return owning(engine, MemoryMap.allocate(engine, device, bytes, options), count, bufferBytes);
  }

  /**
   * Cuts memory that is registered already into a pool. The pool does not own the map: close the
   * pool first. Buffer {@code i} begins as {@link #export} says, from the map's beginning.
   *
   * @param map of this process, with room for all windows
   */
  public static BufferPool of(ProgressEngine engine, MemoryMap map, int count, int bufferBytes) {
    return PoolWindows.cut(engine, map, false, count, bufferBytes);
  }

  /** The same, but the pool closes the map, too; here at once if the pool cannot be made. */
  public static BufferPool owning(
      ProgressEngine engine, MemoryMap map, int count, int bufferBytes) {
    return PoolWindows.owning(map, m -> PoolWindows.cut(engine, m, true, count, bufferBytes));
  }

  /**
   * Imports memory for a pool of its own, which takes the import back when it is closed.
   *
   * @param leases how many there can be at once, more than 0
   * @throws DocaException as {@link MemoryMap#imported}, or when the device takes no more
   */
  public static BufferPool imported(
      ProgressEngine engine, Device device, MemoryExport export, int leases) {
    return PoolWindows.owning(
        MemoryMap.imported(engine, device, export),
        map -> PoolWindows.aimed(engine, map, true, leases));
  }

  /**
   * Leases all of a map's memory several times over, so that several tasks can use the same part.
   * The pool does not own the map: close the pool first.
   *
   * @param map imported, or of this process
   * @param count how many leases there can be at once, more than 0
   */
  public static BufferPool over(ProgressEngine engine, MemoryMap map, int count) {
    return PoolWindows.aimed(engine, map, false, count);
  }

  /**
   * Leases a buffer with empty content. Any thread.
   *
   * @return null when all are leased, or after {@link #stopLending}
   * @throws IllegalStateException when the pool is closed
   */
  public @Nullable Buffer lease() {
    return lease(null);
  }

  @Nullable Buffer lease(@Nullable LeaseScope holder) {
    if (!lends) {
      checkOpen("lease");
      return null;
    }
    Buffer buffer = idle.poll();
    if (buffer != null) {
      buffer.beginLease(holder);
    }
    return buffer;
  }

  private void checkOpen(String operation) {
    if (closed) {
      throw new IllegalStateException(operation + ": " + this + " is closed");
    }
  }

  /**
   * Lends nothing from now on: the engine is stopping and waits for the leases that are out. Any
   * thread. Idempotent.
   */
  public void stopLending() {
    lends = false;
  }

  /** Whether the pool is closed, also after a loss of leases. Any thread. */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Leases that go back when their holder ends: see {@link LeaseScope}. Any thread.
   *
   * @param holder for people
   */
  public LeaseScope scope(String holder) {
    return new LeaseScope(this, holder);
  }

  /** Marks the leases that holders have in their hands now. Any thread. */
  public LeaseMark mark() {
    return LeaseMark.of(buffers);
  }

  /** What the buffers are of. Engine's thread. */
  public MemoryMap memory() {
    return map;
  }

  /** How many buffers there are. */
  public int capacity() {
    return buffers.size();
  }

  /** Number of buffers that were not leased a moment ago; 0 when the pool is closed. Any thread. */
  public int available() {
    return closed ? 0 : idle.size();
  }

  /** Size of each window; the most that one can be aimed at, if there is no window. */
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
    checkOpen("export");
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
        IllegalStateException failure =
            LeaseReport.stillLeased(this, buffers, buffers.size() - back.size());
        back.forEach(idle::offer);
        throw failure;
      }
      shut();
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
      shut();
      lost = buffers.size() - takeIdle().size();
    }
    finish();
    return lost;
  }

  private void shut() {
    closed = true; // before the pool refuses to lend, so that a refusal names the reason
    lends = false;
  }

  /** A call that failed may be repeated. */
  private void finish() {
    if (finished) {
      return;
    }
    inventory.close();
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

  void takeBack(Buffer buffer) {
    if (!closed) {
      idle.offer(buffer);
    }
  }

  private int countLeased() {
    return LeaseReport.count(buffers);
  }

  List<Buffer> buffers() {
    return buffers;
  }

  boolean debugsLeases() {
    return debugsLeases;
  }

  void add(Buffer buffer) {
    buffers.add(buffer);
    idle.offer(buffer);
  }

  void opened() {
    engine.census().opened(Census.Resource.BUFFER_POOL);
    engine.census().watch(Census.Resource.LEASE, leases);
  }

  private List<Buffer> takeIdle() {
    List<Buffer> taken = new ArrayList<>();
    idle.drain(taken::add);
    return taken;
  }

  BufferInventory inventory() {
    return inventory;
  }

  ProgressEngine engine() {
    return engine;
  }

  @Override
  public String toString() {
    return PoolWindows.describe(buffers.size(), bufferBytes);
  }
}
