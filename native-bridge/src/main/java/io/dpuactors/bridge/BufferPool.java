package io.dpuactors.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jctools.queues.MpmcArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of buffers in one {@link MemoryMap}. Each buffer has one {@code doca_buf} for the
 * pool's life. The buffers are equal windows of the pool's memory ({@link #create}) or of the
 * program's ({@link #of}). Or they are leases of all of a map's memory, each aimed at a part
 * ({@link #imported}, {@link #over}).
 *
 * <p>Thread: the engine's for create and close. {@link #lease} and {@link Buffer#release} may be
 * called on any thread, take no lock and allocate nothing. With the system property {@code
 * dpu.lease.debug=true} at the pool's creation, every lease records two stack traces: those of its
 * lease and its release.
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
   * @param count number of buffers, more than 0
   * @param bufferBytes size of each window, more than 0
   */
  public static BufferPool create(
      ProgressEngine engine, Device device, int count, int bufferBytes) {
    return create(engine, device, count, bufferBytes, MemoryOptions.defaults());
  }

  /**
   * Allocates and registers a pool whose memory other processes may use as well, see {@link
   * #export}.
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
   * @param options requested kind of memory; {@link #memory} has the kind that was allocated
   * @throws DocaException when the device accepts no more memory
   */
  public static BufferPool create(
      ProgressEngine engine, Device device, int count, int bufferBytes, MemoryOptions options) {
    engine.checkThread("BufferPool.create");
    long bytes = PoolWindows.bytes(count, bufferBytes);
    return owning(engine, MemoryMap.allocate(engine, device, bytes, options), count, bufferBytes);
  }

  /**
   * Divides registered memory into a pool. The pool does not own the map: close the pool first.
   * {@link #export} defines where buffer {@code i} begins.
   *
   * @param map of this process, with room for all windows
   */
  public static BufferPool of(ProgressEngine engine, MemoryMap map, int count, int bufferBytes) {
    return PoolWindows.cut(engine, map, false, count, bufferBytes);
  }

  /** Works as {@link #of}, but the pool closes the map, too; also if creating the pool fails. */
  public static BufferPool owning(
      ProgressEngine engine, MemoryMap map, int count, int bufferBytes) {
    return PoolWindows.owning(map, m -> PoolWindows.cut(engine, m, true, count, bufferBytes));
  }

  /**
   * Imports memory for a pool, which closes the import when it is closed.
   *
   * @param leases maximum number of simultaneous leases, more than 0
   * @throws DocaException as {@link MemoryMap#imported}, or when the device accepts no more memory
   */
  public static BufferPool imported(
      ProgressEngine engine, Device device, MemoryExport export, int leases) {
    return PoolWindows.owning(
        MemoryMap.imported(engine, device, export),
        map -> PoolWindows.aimed(engine, map, true, leases));
  }

  /**
   * Leases all of a map's memory several times, so that several tasks can use the same part. The
   * pool does not own the map: close the pool first.
   *
   * @param map imported, or of this process
   * @param count maximum number of simultaneous leases, more than 0
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
   * Refuses leases from now on: the engine is stopping and waits for the remaining leases. Any
   * thread. Idempotent.
   */
  public void stopLending() {
    lends = false;
  }

  /** Returns whether the pool is closed, also after a loss of leases. Any thread. */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Creates a scope whose leases return when their holder ends: see {@link LeaseScope}. Any thread.
   *
   * @param holder name of the holder, for messages
   */
  public LeaseScope scope(String holder) {
    return new LeaseScope(this, holder);
  }

  /** Marks the leases that no request and no answer has now. Any thread. */
  public LeaseMark mark() {
    return LeaseMark.of(buffers);
  }

  /** Returns the memory of the buffers. Engine's thread. */
  public MemoryMap memory() {
    return map;
  }

  /** Returns the number of buffers. */
  public int capacity() {
    return buffers.size();
  }

  /**
   * Returns the approximate number of buffers not leased; 0 when the pool is closed. Any thread.
   */
  public int available() {
    return closed ? 0 : idle.size();
  }

  /** Returns the size of each window; for leases to be aimed, the largest part. */
  public int bufferBytes() {
    return bufferBytes;
  }

  /**
   * Exports the pool's memory to the other side of the PCI bus, until the pool is closed. Buffer
   * {@code i} begins at {@code i} times the size of a window, rounded up to 64 bytes. Windows of
   * 4096 bytes or more are rounded up to 4096.
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
   * Frees the buffers, their inventory and, if the pool owns it, the map with its memory, in this
   * order. Idempotent.
   *
   * @throws IllegalStateException naming the buffers that are still leased; suppressed exceptions
   *     have the stacks of their holders while leases are debugged. The pool stays open.
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
   * Closes the pool although leases were lost. Call this when no context can use its buffers any
   * more. The memory of a pool with lost leases is never freed: a late holder reads stale bytes
   * instead of unmapped memory. The leases stay in the census until they are released.
   *
   * @return number of lost leases; 0 makes this a {@link #close}
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
    closed = true; // before the pool refuses leases, so that a refusal names the reason
    lends = false;
  }

  /** Closes what is left. A failed call may be repeated. */
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
