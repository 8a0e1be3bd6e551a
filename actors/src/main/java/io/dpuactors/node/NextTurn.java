package io.dpuactors.node;

/**
 * When a node that has its turn needs the next one: in each turn of the loop, at a time, or not
 * before something is asked of the node or comes unasked. Engine's thread; one for all nodes.
 */
public final class NextTurn {
  NextTurn() {}

  private long nowNs;
  private boolean isInEach;
  private boolean hasTime;
  private long timeNs;

  /** Nothing is known of the next turn. */
  void clear(long now) {
    nowNs = now;
    isInEach = false;
    hasTime = false;
  }

  /** The next turn of the loop. */
  void inEach() {
    isInEach = true;
  }

  /** A turn not later than this; a time that is for ever away is none. */
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

  /** When {@link #hasTime}. */
  long timeNs() {
    return timeNs;
  }

  /** Whether the node has nothing to do until something is asked, or comes unasked. */
  boolean isNever() {
    return !isInEach && !hasTime;
  }
}
