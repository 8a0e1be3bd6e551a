package io.dpuactors.benchmarks.load;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much the calling thread has allocated so far. */
final class ThreadAllocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private ThreadAllocation() {}

  static long bytes() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
