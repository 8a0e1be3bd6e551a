package io.dpuactors.testkit.device;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock on the software DPU of the process: tests with an engine and simulations change its
 * execution, clock and faults. Thread: any; the thread that acquires releases.
 */
public final class DeviceLock {
  private static final ReentrantLock LOCK = new ReentrantLock();

  private DeviceLock() {}

  /**
   * Waits until an earlier test or simulation has ended. A simulation of many seeds may take
   * minutes, so only an interrupt, such as that of JUnit's time limit, ends the wait.
   *
   * @throws IllegalStateException if the calling thread has the device already, or is interrupted
   */
  public static void acquire() {
    if (LOCK.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "a test has one EngineTestKit or one simulation at a time (the thread has one already;"
              + " spawn more engines with it)");
    }
    try {
      LOCK.lockInterruptibly();
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
