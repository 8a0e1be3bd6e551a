package io.dpuactors.bridge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jctools.queues.MpmcArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of buffers in registered memory. Each buffer has one {@code doca_buf} for the
 * pool's life. The buffers are equal windows of the memory. Or they are leases of all of the
 * memory, each {@link Buffer#aim aimed} at a part.
 *
 * <p>Thread: the engine's for close and export. {@link #lease} and {@link Buffer#release} may be
 * called on any thread, take no lock and allocate nothing. With the system property {@code
 * dpu.lease.debug=true} at the pool's creation, every lease records two stack traces: those of its
 * lease and its release.
 */
public final class BufferPool implements AutoCloseable {
  private static final int MAX_WAITING = 1024;

  private final boolean debugsLeases = Boolean.getBoolean("dpu.lease.debug");
  private final PoolMemory memory;
  private final List<Buffer> buffers = new ArrayList<>();
  private final MpmcArrayQueue<Buffer> idle;
  private final IntSupplier leases = this::countLeased;
  private final LeaseWaiters<Buffer> waiters;
  private volatile @Nullable Runnable observer;
  private int lost;
  private boolean finished;
  private volatile boolean lends = true;
  private volatile boolean closed;

  private BufferPool(PoolMemory memory) {
    this.memory = memory;
    this.idle = new MpmcArrayQueue<>(Math.max(2, memory.count()));
    this.waiters = new LeaseWaiters<>(toString(memory), MAX_WAITING, Buffer::release);
  }

  /**
   * Creates a pool. Programs do not call this method: the engine opens their pools.
   *
   * @param memory the pool closes it
   */
  public static BufferPool of(PoolMemory memory) {
    BufferPool pool = new BufferPool(memory);
    for (int i = 0; i < memory.count(); i++) {
      Buffer buffer = new Buffer(pool, i);
      pool.buffers.add(buffer);
      pool.idle.offer(buffer);
    }
    memory.census().opened(Census.Resource.BUFFER_POOL);
    memory.census().watch(Census.Resource.LEASE, pool.leases);
    return pool;
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

  /**
   * Leases a buffer with empty content, now or later: see {@link LeaseScope#leaseWithin}. An actor
   * that may end while it waits must use its scope: without a scope, the buffer stays leased. Any
   * thread.
   */
  public CompletionStage<Buffer> leaseWithin(Duration limit) {
    return leaseWithin(this::lease, limit);
  }

  CompletionStage<Buffer> leaseWithin(Supplier<@Nullable Buffer> take, Duration limit) {
    CompletionStage<Buffer> lease = waiters.await(take, limit);
    if (!lends) {
      waiters.fail();
    }
    return lease;
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
    waiters.fail();
    changed();
  }

  boolean lends() {
    return lends;
  }

  /**
   * Sets the only observer. The observer runs after each release, and after {@link #stopLending}.
   */
  void observe(Runnable newObserver) {
    observer = newObserver;
  }

  private void changed() {
    Runnable known = observer;
    if (known != null) {
      known.run();
    }
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

  /** Returns the memory of the buffers. */
  public PoolMemory memory() {
    return memory;
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
    return memory.bufferBytes();
  }

  /**
   * Exports the pool's memory to the other side of the PCI bus, until the pool is closed. Buffer
   * {@code i} begins at {@code i} times the size of a window, rounded up to 64 bytes. Windows of
   * 4096 bytes or more are rounded up to 4096.
   *
   * @throws DocaException as {@link PoolMemory#export}
   * @throws IllegalStateException when the pool is closed
   */
  public MemoryExport export() {
    memory.checkThread("export");
    checkOpen("export");
    return memory.export();
  }

  /**
   * Exports the pool's memory to RDMA peers, until the pool is closed. Buffers begin as {@link
   * #export} describes.
   *
   * @throws DocaException as {@link PoolMemory#exportToPeers}
   * @throws IllegalStateException when the pool is closed
   */
  public RemoteMemory exportToPeers() {
    memory.checkThread("exportToPeers");
    checkOpen("exportToPeers");
    return memory.exportToPeers();
  }

  /**
   * Frees the buffers, their inventory and, if the pool owns it, the registered memory, in this
   * order. Idempotent.
   *
   * @throws IllegalStateException naming the buffers that are still leased; suppressed exceptions
   *     have the stacks of their holders while leases are debugged. The pool stays open.
   */
  @Override
  public void close() {
    memory.checkThread("close");
    if (!closed) {
      List<Buffer> back = takeIdle();
      if (back.size() < buffers.size()) {
        IllegalStateException failure =
            LeaseReport.stillLeased(this, buffers, buffers.size() - back.size());
        back.forEach(idle::offer);
        returned(); // callers may have found no buffer meanwhile
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
    memory.checkThread("closeAfterLoss");
    if (!closed) {
      shut();
      lost = buffers.size() - takeIdle().size();
    }
    finish();
    return lost;
  }

  private void shut() {
    closed = true; // before the pool refuses leases, so that a refusal names the reason
    stopLending();
  }

  /** Closes the memory. A failed call may be repeated. */
  private void finish() {
    if (finished) {
      return;
    }
    memory.close(lost > 0);
    if (lost == 0) {
      memory.census().unwatch(leases);
    }
    memory.census().closed(Census.Resource.BUFFER_POOL);
    finished = true;
  }

  void reclaim(Buffer buffer) {
    if (!closed) {
      idle.offer(buffer);
      returned();
    }
  }

  private void returned() {
    waiters.serve();
    changed();
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

  private List<Buffer> takeIdle() {
    List<Buffer> taken = new ArrayList<>();
    idle.drain(taken::add);
    return taken;
  }

  @Override
  public String toString() {
    return toString(memory);
  }

  private static String toString(PoolMemory memory) {
    return "buffer pool of " + memory.count() + " x " + memory.bufferBytes() + " bytes";
  }
}
