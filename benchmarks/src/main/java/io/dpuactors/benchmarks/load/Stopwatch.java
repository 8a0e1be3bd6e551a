package io.dpuactors.benchmarks.load;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Measures the time and the allocation of a run, both on the calling thread.
 *
 * @param beginNs of {@link System#nanoTime}
 * @param beginBytes allocated by the thread before
 */
record Stopwatch(long beginNs, long beginBytes) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static Stopwatch start() {
    long bytes = allocated();
    return new Stopwatch(System.nanoTime(), bytes);
  }

  /** Returns the outcome of a run of this many tasks, which ends now. */
  Outcome.Done stop(long count) {
    long elapsedNs = System.nanoTime() - beginNs;
    return new Outcome.Done(count, elapsedNs, allocated() - beginBytes);
  }

  private static long allocated() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
