package io.dpuactors.bridge.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the threads that use the bridge to wake its owner. The bridge is freed only when no thread
 * is inside. Any thread.
 */
final class Wakers {
  private static final int CLOSED = Integer.MIN_VALUE;

  /** Number of threads inside, and {@link #CLOSED}. */
  private final AtomicInteger inside = new AtomicInteger();

  /** Returns whether the calling thread may use the bridge, until {@link #leave}. */
  boolean enter() {
    for (int threads = inside.get(); threads >= 0; threads = inside.get()) {
      if (inside.compareAndSet(threads, threads + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Ends {@link #enter}. */
  void leave() {
    inside.decrementAndGet();
  }

  /** Refuses further threads, and waits for those inside. Each is inside for one native call. */
  void close() {
    inside.accumulateAndGet(CLOSED, (threads, flag) -> threads | flag);
    while (inside.get() != CLOSED) {
      Thread.onSpinWait();
    }
  }

  /** Reverses {@link #close}. */
  void reopen() {
    inside.accumulateAndGet(~CLOSED, (threads, mask) -> threads & mask);
  }
}
