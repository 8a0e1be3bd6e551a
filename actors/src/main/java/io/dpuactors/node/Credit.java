package io.dpuactors.node;

import io.dpuactors.bridge.TaskKind;

/**
 * How many requests of each kind the bridge has of a {@link TaskLane}: a window of them is in
 * flight, some more wait in the bridge, so that the device has its next task at once when it has
 * done one, and not when this thread has woken. Engine's thread; no allocation.
 */
final class Credit {
  /** Most requests of a kind that wait in the bridge: work for the time that a thread wakes in. */
  private static final int AHEAD = 16;

  private final int window;
  private final int most;
  private final int[] handed = new int[TaskKind.values().length];

  Credit(LaneSettings settings) {
    this(settings.window(), settings.queue());
  }

  /**
   * Nothing is handed over yet.
   *
   * @param window requests in flight
   * @param queue requests that may wait
   */
  Credit(int window, int queue) {
    this.window = window;
    this.most = window + Math.min(AHEAD, queue);
  }

  /** Most requests of one kind that the bridge has. */
  int most() {
    return most;
  }

  /** Whether the next one may be handed over. */
  boolean isLeft(TaskKind kind) {
    return handed[kind.ordinal()] < most;
  }

  /** Whether the next one would be in flight at once. */
  boolean isInWindow(TaskKind kind) {
    return handed[kind.ordinal()] < window;
  }

  /** One was handed over. */
  void take(TaskKind kind) {
    handed[kind.ordinal()]++;
  }

  /** One has come back. */
  void giveBack(TaskKind kind) {
    handed[kind.ordinal()]--;
  }

  /** Requests of all kinds that the device has, or may have. */
  int inFlight() {
    int all = 0;
    for (int one : handed) {
      all += Math.min(one, window);
    }
    return all;
  }

  /** Requests of all kinds that wait in the bridge. */
  int ahead() {
    int all = 0;
    for (int one : handed) {
      all += Math.max(0, one - window);
    }
    return all;
  }
}
