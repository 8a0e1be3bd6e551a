package io.dpuactors.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device under a loop. The loop retries a turn or a wait that fails, up to three times in a
 * row, after 1, 10 and 100 ms. After one more failure it gives the device up and reports the cause.
 *
 * <p>Between two attempts the loop neither turns the device nor waits for it; mailboxes run. All
 * but {@link #wake} run on the loop's thread.
 */
final class DrivenDevice {
  private static final Logger LOG = LoggerFactory.getLogger(DrivenDevice.class);
  private static final long[] BACKOFF_NS = {
    TimeUnit.MILLISECONDS.toNanos(1),
    TimeUnit.MILLISECONDS.toNanos(10),
    TimeUnit.MILLISECONDS.toNanos(100)
  };
  private static final long LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

  private final String loop;
  private final LoopDevice device;
  private final EngineSettings settings;
  private final LoopCounters counters;
  private final LongSupplier clock;
  private final Consumer<Throwable> onFailure;
  private final LogLimit log = new LogLimit(LOG_INTERVAL_NS);
  private int failedTurns;
  private int failedWaits;
  private long resumeNs;
  private volatile boolean isPaused;

  /** Longest duration of the next wait while the device is at rest. */
  private long restNs;

  /**
   * Creates a device without failures.
   *
   * @param loop the name in log lines
   * @param clock nanoseconds, as in {@code nowNs}
   * @param onFailure accepts the cause after the last retry; the loop then drops this device
   */
  DrivenDevice(
      String loop,
      LoopDevice device,
      EngineSettings settings,
      LoopCounters counters,
      LongSupplier clock,
      Consumer<Throwable> onFailure) {
    this.loop = loop;
    this.device = device;
    this.settings = settings;
    this.counters = counters;
    this.clock = clock;
    this.onFailure = onFailure;
    this.restNs = settings.idleParkNs();
  }

  void begin(long nowNs) {
    device.begin(nowNs);
  }

  /** Runs one turn of the device. Returns 0 also if the turn fails or is postponed. */
  int turn(long nowNs, long pollNs) {
    if (isPaused && resumeNs - nowNs > 0) {
      return 0;
    }
    isPaused = false;
    try {
      int events = device.turn(nowNs, pollNs);
      failedTurns = 0;
      return events;
    } catch (RuntimeException | Error e) {
      failedTurns = failed("turn", failedTurns, e);
      return 0;
    }
  }

  /** Resets the wait duration before the first of several waits without an event. */
  void beginRest() {
    restNs = settings.idleParkNs();
  }

  /** Returns the longest time that may pass before the next turn; see {@link EngineLoop}. */
  long untilDueNs(long nowNs) {
    if (isPaused) {
      return Math.max(0, resumeNs - nowNs);
    }
    return device.isAtRest() ? Long.MAX_VALUE : device.untilDueNs(settings.idleParkNs());
  }

  /**
   * Waits for the device, unless an attempt has failed.
   *
   * @return time until the next attempt, for which the thread has to park; 0 after a wait
   */
  long await(long nowNs) {
    if (isPaused) {
      return Math.max(0, resumeNs - nowNs);
    }
    try {
      device.await(boundNs());
      failedWaits = 0;
    } catch (RuntimeException | Error e) {
      failedWaits = failed("wait", failedWaits, e);
    }
    return 0;
  }

  private long boundNs() {
    if (!device.isAtRest()) {
      restNs = settings.idleParkNs();
      return restNs;
    }
    long bound = restNs;
    long mostNs = settings.idleParkMaxNs();
    restNs = bound > mostNs - bound ? mostNs : 2 * bound;
    return bound;
  }

  /** Ends {@link #await} on this thread, or the thread's park. Any thread. */
  void wake(@Nullable Thread owner) {
    if (isPaused) {
      LockSupport.unpark(owner);
    } else {
      device.wake();
    }
  }

  /** Returns the number of failures in a row. */
  private int failed(String what, int before, Throwable cause) {
    counters.deviceFailures++;
    int inARow = before + 1;
    if (before == BACKOFF_NS.length) {
      onFailure.accept(
          new IllegalStateException(
              "a %s of the device failed %d times in a row: %s".formatted(what, inARow, cause),
              cause));
      return inARow;
    }
    isPaused = true;
    long nowNs = clock.getAsLong(); // a failed wait may have lasted longer than the pause
    resumeNs = nowNs + BACKOFF_NS[before];
    if (log.passes(nowNs)) {
      EngineLog.of(LOG, EngineLog.engine(loop))
          .warn(
              "{}: a {} of the device failed (failure {} in a row, {} log lines suppressed);"
                  + " the next attempt follows in {} ms",
              loop,
              what,
              inARow,
              log.takeSuppressed(),
              TimeUnit.NANOSECONDS.toMillis(BACKOFF_NS[before]),
              cause);
    }
    return inARow;
  }
}
