package io.dpuactors.bridge;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one holder from one pool. When the holder ends, all its remaining leases return, at
 * once or at the end of their last loan. Leasing through a scope allocates nothing and takes no
 * lock. Thread: any.
 */
public final class LeaseScope {
  private final BufferPool pool;
  private final String holder;
  private final Set<TaskBatch> batches = ConcurrentHashMap.newKeySet();
  private volatile boolean ended;

  LeaseScope(BufferPool pool, String holder) {
    this.pool = pool;
    this.holder = holder;
  }

  /**
   * Leases a buffer with empty content for the holder.
   *
   * @return null when all are leased, or the pool refuses leases
   * @throws IllegalStateException when the scope has ended or the pool is closed
   */
  public @Nullable Buffer lease() {
    checkOpen("lease");
    Buffer buffer = pool.lease(this);
    if (buffer != null && ended) {
      // The scope may have ended without seeing this lease.
      release(buffer);
      checkOpen("lease");
    }
    return buffer;
  }

  /**
   * Leases a buffer with empty content for the holder, as soon as one is free. Callers wait in
   * order of arrival; {@link #lease} does not wait for them. At most 1,024 callers wait for a pool.
   * No thread blocks.
   *
   * <p>A stage that waited completes on the thread that releases the buffer, which may be an
   * engine's. Dependent actions must not block: use the {@code Async} forms, or {@code pipeToSelf}
   * in an actor.
   *
   * @param limit longest time to wait
   * @return fails with a {@link DocaException}: TIME_OUT; FULL for too many callers; SHUTDOWN when
   *     the engine stops, or the pool is closed during the wait; BAD_STATE when the scope has ended
   *     or the pool was closed before
   */
  public CompletionStage<Buffer> leaseWithin(Duration limit) {
    return pool.leaseWithin(this::lease, limit);
  }

  /**
   * Adopts a lease of this pool that another holder has {@link Buffer#handOver handed over}.
   *
   * @throws IllegalArgumentException when it is of another pool
   * @throws IllegalStateException when the scope has ended, or the buffer is not leased
   */
  public void adopt(Buffer buffer) {
    if (buffer.pool() != pool) {
      throw new IllegalArgumentException("adopt: " + buffer + " is not of the " + pool);
    }
    checkOpen("adopt");
    buffer.moveTo(this);
    if (ended) {
      release(buffer);
    }
  }

  /** Returns the approximate number of leases of the holder. */
  public int held() {
    return (int) pool.buffers().stream().filter(buffer -> buffer.state().isOf(this)).count();
  }

  /** Returns the pool of the leases. */
  public BufferPool pool() {
    return pool;
  }

  /** Returns whether {@link #end} was called. */
  public boolean isEnded() {
    return ended;
  }

  /**
   * Ends the scope: every remaining lease of the holder returns, lent ones at the end of their last
   * loan. Call this when every request of the holder has reached its context. Idempotent.
   */
  public void end() {
    ended = true;
    batches.forEach(TaskBatch::releaseAfterTasks);
    pool.buffers().forEach(this::release);
  }

  /**
   * Returns the marked leases of a restarted holder. Leases in a request or an answer stay, because
   * the holder gets the answer. Call this when every request from before the restart has reached
   * its context.
   *
   * @param before of the pool, created at the restart
   */
  public void releaseMarked(LeaseMark before) {
    before.closeBatches(batches);
    for (Buffer buffer : pool.buffers()) {
      if (buffer.state().isOf(this)) {
        before.release(buffer);
      }
    }
  }

  /** Returns the open batches of its leases. */
  Set<TaskBatch> batches() {
    return batches;
  }

  /** Registers a batch of its leases, which ends with this scope. */
  void join(TaskBatch batch) {
    batches.add(batch);
    if (ended) {
      batch.releaseAfterTasks();
    }
  }

  void leave(TaskBatch batch) {
    batches.remove(batch);
  }

  private void release(Buffer buffer) {
    buffer.returnToPoolIf(buffer.state().releaseAfterTasksIfOf(this));
  }

  private void checkOpen(String operation) {
    if (ended) {
      throw new IllegalStateException(operation + ": " + this + " has ended");
    }
  }

  @Override
  public String toString() {
    return "leases of " + holder;
  }
}
