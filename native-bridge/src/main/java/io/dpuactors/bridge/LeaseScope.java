package io.dpuactors.bridge;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases that one holder has of a pool: when the holder ends, whatever it still has goes back,
 * at once or as soon as the last context that holds it lets go. Leasing through a scope allocates
 * nothing and takes no lock. Thread: any.
 */
public final class LeaseScope {
  private final BufferPool pool;
  private final String holder;
  private final Set<Batch> batches = ConcurrentHashMap.newKeySet();
  private volatile boolean ended;

  LeaseScope(BufferPool pool, String holder) {
    this.pool = pool;
    this.holder = holder;
  }

  /**
   * Leases a buffer with empty content for the holder.
   *
   * @return null when all are leased, or the pool lends nothing any more
   * @throws IllegalStateException when the scope has ended or the pool is closed
   */
  public @Nullable Buffer lease() {
    checkOpen("lease");
    Buffer buffer = pool.lease(this);
    if (buffer != null && ended) {
      // The end may have come before it could see this lease.
      giveUp(buffer);
      checkOpen("lease");
    }
    return buffer;
  }

  /**
   * Takes over a lease of this pool that somebody else has {@link Buffer#handOver handed over}.
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
      giveUp(buffer);
    }
  }

  /** How many leases the holder has, as of a moment ago. */
  public int held() {
    return (int) pool.buffers().stream().filter(buffer -> buffer.state().isOf(this)).count();
  }

  /** Where the leases are of. */
  public BufferPool pool() {
    return pool;
  }

  /** Whether {@link #end} was called. */
  public boolean isEnded() {
    return ended;
  }

  /**
   * The holder is no more: every lease that it still has goes back, those that contexts hold with
   * the end of their last task. To be called when every request of the holder has reached its
   * context. Idempotent.
   */
  public void end() {
    ended = true;
    batches.forEach(Batch::abandon);
    pool.buffers().forEach(this::giveUp);
  }

  /**
   * The holder has begun anew: its marked leases go back. Leases that a request or an answer has
   * stay, because the holder gets the answer. To be called when every request of its earlier life
   * has reached its context.
   *
   * @param before of the pool, made when the new life began
   */
  public void releaseMarked(LeaseMark before) {
    before.closeBatches(batches);
    for (Buffer buffer : pool.buffers()) {
      if (buffer.state().isOf(this)) {
        before.release(buffer);
      }
    }
  }

  /** Knows a batch of its leases, which ends with it. */
  void join(Batch batch) {
    batches.add(batch);
    if (ended) {
      batch.abandon();
    }
  }

  void leave(Batch batch) {
    batches.remove(batch);
  }

  private void giveUp(Buffer buffer) {
    buffer.goBackIf(buffer.state().abandonIfOf(this));
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
