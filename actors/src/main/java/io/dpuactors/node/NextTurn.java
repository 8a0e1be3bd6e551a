package io.dpuactors.node;

/**
 * The time of a node's next turn: the next turn of the loop, a deadline, or the next request or
 * event. Engine's thread; one instance serves all nodes.
 */
final class NextTurn {
  NextTurn() {}

  private long nowNs;
  private boolean isInEach;
  private boolean hasTime;
  private long timeNs;

  /** Clears all requests for a turn. */
  void clear(long now) {
    nowNs = now;
    isInEach = false;
    hasTime = false;
  }

  /** Requests the next turn of the loop. */
  void inEach() {
    isInEach = true;
  }

  /** Requests a turn at this time or earlier. Ignores times that are practically never reached. */
  void at(long wantedNs) {
    if (wantedNs - nowNs < Nanos.FOREVER / 2 && (!hasTime || wantedNs - timeNs < 0)) {
      hasTime = true;
      timeNs = wantedNs;
    }
  }

  boolean isInEach() {
    return isInEach;
  }

  boolean hasTime() {
    return hasTime;
  }

  /** Returns the requested time. Valid only if {@link #hasTime}. */
  long timeNs() {
    return timeNs;
  }

  /** Returns whether the node has no work until a request or an event. */
  boolean isNever() {
    return !isInEach && !hasTime;
  }
}
