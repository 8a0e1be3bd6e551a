package io.dpuactors.node;

import io.dpuactors.bridge.TaskKind;

/**
 * Number of requests per kind that a {@link TaskLane} has submitted to the bridge. One window is in
 * flight, and a few more wait in the bridge. The device therefore starts its next task without
 * waiting for this thread to wake. Engine's thread; no allocation.
 */
final class Credit {
  /**
   * Maximum number of requests per kind that wait in the bridge: work for the wake-up time of a
   * thread.
   */
  private static final int AHEAD = 16;

  private final int window;
  private final int most;
  private final int[] handed = new int[TaskKind.values().length];

  Credit(LaneSettings settings) {
    this(settings.window(), settings.queue());
  }

  /**
   * Creates a credit without submitted requests.
   *
   * @param window requests in flight
   * @param queue requests that may wait
   */
  Credit(int window, int queue) {
    this.window = window;
    this.most = window + Math.min(AHEAD, queue);
  }

  /** Returns the maximum number of requests of one kind in the bridge and on the device. */
  int most() {
    return most;
  }

  /** Returns whether another request may be submitted. */
  boolean isLeft(TaskKind kind) {
    return handed[kind.ordinal()] < most;
  }

  /** Returns whether another request would be in flight at once. */
  boolean isInWindow(TaskKind kind) {
    return handed[kind.ordinal()] < window;
  }

  /** Counts a submitted request. */
  void take(TaskKind kind) {
    handed[kind.ordinal()]++;
  }

  /** Counts a returned request. */
  void release(TaskKind kind) {
    handed[kind.ordinal()]--;
  }

  /** Returns the number of requests, of all kinds, that the device holds or may hold. */
  int inFlight() {
    int all = 0;
    for (int one : handed) {
      all += Math.min(one, window);
    }
    return all;
  }

  /** Returns the number of requests, of all kinds, that wait in the bridge. */
  int ahead() {
    int all = 0;
    for (int one : handed) {
      all += Math.max(0, one - window);
    }
    return all;
  }
}
