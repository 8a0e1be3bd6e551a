package io.dpuactors.testkit.device;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock on the software DPU of the process: tests with an engine and simulations change its
 * execution, clock and faults. Thread: any; the thread that acquires releases.
 */
public final class DeviceLock {
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final long LIMIT_S = 60;

  private DeviceLock() {}

  /**
   * Waits until an earlier test or simulation has ended.
   *
   * @throws IllegalStateException if the calling thread has the device already, or another thread
   *     does not release it within a minute
   */
  public static void acquire() {
    if (LOCK.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "a test has one EngineTestKit or one simulation at a time (the thread has one already;"
              + " spawn more engines with it)");
    }
    try {
      if (!LOCK.tryLock(LIMIT_S, TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "another test has used the software DPU for " + LIMIT_S + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while another test uses the software DPU", e);
    }
  }

  /** Lets the next test or simulation begin. */
  public static void release() {
    LOCK.unlock();
  }
}
