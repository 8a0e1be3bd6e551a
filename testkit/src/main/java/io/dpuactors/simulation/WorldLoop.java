package io.dpuactors.simulation;

import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.loop.ManualLoop;
import java.time.Duration;

/**
 * The loop of an engine, and the conditions for its next iteration. Each loop is a host of the
 * software DPU. World's thread.
 */
final class WorldLoop {
  /** Longer than the deadlines of requests, and of stops, of the other hosts. */
  static final long DEATH_NS = Duration.ofSeconds(60).toNanos();

  private final ManualLoop loop;
  private final SoftDpu device;
  private final HostClocks clocks;
  private final int host;
  private long seen = -1;
  private long dueNs = Long.MAX_VALUE;
  private boolean isKilled;

  /** Time of the next iteration of a killed loop, whose clock stands still until then. */
  private long returnNs;

  WorldLoop(ManualLoop loop, SoftDpu device, HostClocks clocks, int host) {
    this.loop = loop;
    this.device = device;
    this.clocks = clocks;
    this.host = host;
  }

  ManualLoop loop() {
    return loop;
  }

  /**
   * Returns whether an iteration may find work.
   *
   * @param news a number that changes when any device may have an event
   */
  boolean isRunnable(long news, long nowNs) {
    if (loop.isStepping()) {
      return false;
    }
    return isKilled ? returnNs <= nowNs : hasWork(news, nowNs);
  }

  private boolean hasWork(long news, long nowNs) {
    return loop.hasTask() || loop.isShutdown() || seen != news || dueNs <= nowNs;
  }

  /** Runs one iteration. Returns whether it did any work. */
  boolean run(long news, long nowNs) {
    if (isKilled) {
      isKilled = false;
      clocks.hold(loop.toString(), DEATH_NS);
    }
    int previous = device.enterHost(host);
    boolean worked;
    try {
      worked = loop.runOnce();
    } finally {
      device.enterHost(previous);
    }
    seen = news;
    long leftNs = loop.untilDueNs();
    dueNs = leftNs == Long.MAX_VALUE ? leftNs : nowNs + leftNs;
    return worked;
  }

  /**
   * Kills the host of the engine. Its loop does not run for {@link #DEATH_NS}. The next iteration
   * finds that all contexts have failed.
   *
   * @return false if the host is dead
   */
  boolean kill(long nowNs) {
    if (isKilled) {
      return false;
    }
    device.killHost(host);
    isKilled = true;
    returnNs = nowNs + DEATH_NS;
    return true;
  }

  /** Returns the time of the next iteration without a task and an event. */
  long dueNs() {
    if (loop.isStepping()) {
      return Long.MAX_VALUE;
    }
    return isKilled ? returnNs : dueNs;
  }

  /** Returns whether the loop was shut down and has run all tasks. */
  boolean hasEnded() {
    return loop.isTerminated();
  }
}
