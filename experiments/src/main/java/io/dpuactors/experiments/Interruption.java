package io.dpuactors.experiments;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles a signal that ends the JVM. The JVM waits for a limited time until the main thread has
 * cleaned up.
 */
final class Interruption {
  private static final Duration GRACE = Duration.ofSeconds(20);

  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread hook;

  private Interruption(Runnable action) {
    hook = new Thread(() -> onSignal(action), "dpu-signal");
  }

  static Interruption of(Runnable action) {
    Interruption interruption = new Interruption(action);
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  private void onSignal(Runnable action) {
    action.run();
    try {
      if (!over.await(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println("dpu: programs of the experiment may still be running");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reports that the cleanup is complete. */
  void over() {
    over.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the JVM is ending: the hook is running
    }
  }
}
