package io.dpuactors.loop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks all loops of the process from one daemon thread, which ends with the last loop. Any
 * thread.
 */
final class StallWatch {
  private static final StallWatch PROCESS = new StallWatch();

  private final Map<EngineLoop, LoopWatch> watches = new LinkedHashMap<>();
  private @Nullable Thread thread;

  private StallWatch() {}

  /** Watches a loop until {@link #remove}. */
  static void add(EngineLoop loop, long stallNs) {
    PROCESS.put(loop, new LoopWatch(loop, stallNs));
  }

  static void remove(EngineLoop loop) {
    PROCESS.drop(loop);
  }

  private synchronized void put(EngineLoop loop, LoopWatch watch) {
    watches.put(loop, watch);
    if (thread == null) {
      Thread started = new Thread(this::run, "dpu-stall-watch");
      started.setDaemon(true);
      started.start(); // if this fails, the next loop tries again
      thread = started;
    }
    notifyAll(); // the new loop may shorten the interval
  }

  private synchronized void drop(EngineLoop loop) {
    watches.remove(loop);
    notifyAll();
  }

  private void run() {
    for (List<LoopWatch> all = next(); !all.isEmpty(); all = next()) {
      long nowNs = System.nanoTime();
      all.forEach(watch -> check(watch, nowNs));
    }
  }

  /** Checks one loop. A failure must not end the checks of the other loops. */
  private static void check(LoopWatch watch, long nowNs) {
    try {
      watch.check(nowNs);
    } catch (RuntimeException | Error e) {
      // Not through the log, which may have failed itself. By default this prints the stack trace.
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, e);
    }
  }

  /**
   * Waits for one interval. Returns the loops to check; if empty, the caller must end its thread.
   */
  private synchronized List<LoopWatch> next() {
    try {
      long intervalNs = watches.values().stream().mapToLong(LoopWatch::intervalNs).min().orElse(0);
      TimeUnit.NANOSECONDS.timedWait(this, intervalNs);
    } catch (InterruptedException e) {
      watches.clear();
    }
    if (watches.isEmpty()) {
      thread = null;
    }
    return List.copyOf(watches.values());
  }
}
