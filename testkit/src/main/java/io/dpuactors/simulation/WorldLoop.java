package io.dpuactors.simulation;

import io.dpuactors.loop.ManualLoop;

/** The loop of an engine, and the conditions for its next iteration. World's thread. */
final class WorldLoop {
  private final ManualLoop loop;
  private long seen = -1;
  private long dueNs = Long.MAX_VALUE;

  WorldLoop(ManualLoop loop) {
    this.loop = loop;
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
    return !loop.isStepping()
        && (loop.hasTask() || loop.isShutdown() || seen != news || dueNs <= nowNs);
  }

  /** Runs one iteration. Returns whether it did any work. */
  boolean run(long news, long nowNs) {
    boolean worked = loop.runOnce();
    seen = news;
    long leftNs = loop.untilDueNs();
    dueNs = leftNs == Long.MAX_VALUE ? leftNs : nowNs + leftNs;
    return worked;
  }

  /** Returns the time of the next iteration without a task and an event. */
  long dueNs() {
    return loop.isStepping() ? Long.MAX_VALUE : dueNs;
  }

  /** Returns whether the loop was shut down and has run all tasks. */
  boolean hasEnded() {
    return loop.isTerminated();
  }
}
