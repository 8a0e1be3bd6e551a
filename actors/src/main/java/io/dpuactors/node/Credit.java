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
  private final boolean isShared;

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
    this(window, window + Math.min(AHEAD, queue), false);
  }

  private Credit(int window, int most, boolean isShared) {
    this.window = window;
    this.most = most;
    this.isShared = isShared;
  }

  /** Creates a credit whose window all kinds share, so that no request waits in the bridge. */
  static Credit shared(int window) {
    return new Credit(window, window, true);
  }

  private int indexOf(TaskKind kind) {
    return isShared ? 0 : kind.ordinal();
  }

  /** Returns the maximum number of requests of one kind in the bridge and on the device. */
  int most() {
    return most;
  }

  /** Returns whether a request with this number of tasks may be submitted. */
  boolean isLeft(TaskKind kind, int tasks) {
    return handed[indexOf(kind)] + tasks <= most;
  }

  /** Returns whether another request would be in flight at once. */
  boolean isInWindow(TaskKind kind) {
    return handed[indexOf(kind)] < window;
  }

  /** Counts a submitted request with this number of tasks. */
  void take(TaskKind kind, int tasks) {
    handed[indexOf(kind)] += tasks;
  }

  /** Counts a returned request with this number of tasks. */
  void release(TaskKind kind, int tasks) {
    handed[indexOf(kind)] -= tasks;
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
