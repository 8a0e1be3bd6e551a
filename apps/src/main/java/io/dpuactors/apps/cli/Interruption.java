package io.dpuactors.apps.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles a signal that ends the JVM. The JVM waits for a limited time until the program has
 * cleaned up.
 */
public final class Interruption {
  private static final Logger LOG = LoggerFactory.getLogger(Interruption.class);

  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private final Thread hook;

  private Interruption(Runnable action, Duration grace) {
    hook =
        new Thread(
            () -> {
              try {
                action.run();
              } finally {
                await(over, grace, "clean-up after a signal");
              }
            },
            "dpu-signal");
  }

  /**
   * Registers an action for signals.
   *
   * @param action runs on a thread of the JVM's shutdown
   * @param grace time limit between the action and {@link #over}
   */
  public static Interruption of(Runnable action, Duration grace) {
    Interruption interruption = new Interruption(action, grace);
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /** Reports that the program has cleaned up. A later signal ends the JVM at once. */
  public void over() {
    over.complete(null);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // during the JVM's shutdown the hook runs already, and stays
    }
  }

  /**
   * Waits for a step of an orderly end. Logs a warning if the step fails, or does not end in time.
   *
   * @param what name of the step, for the log
   * @return whether the step has ended
   */
  public static boolean await(CompletableFuture<?> step, Duration limit, String what) {
    try {
      step.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("{}: interrupted before its end", what);
    } catch (ExecutionException e) {
      LOG.warn("{}: failed: {}", what, String.valueOf(e.getCause()));
    } catch (TimeoutException e) {
      LOG.warn("{}: no end within {} ms", what, limit.toMillis());
    }
    return false;
  }
}
