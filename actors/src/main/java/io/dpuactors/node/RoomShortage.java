package io.dpuactors.node;

/**
 * How long the waiting requests of a {@link TaskLane} have lacked a place in the bridge. Engine's
 * thread.
 */
final class RoomShortage {
  /** Time after which the requests of one ordering key take the places of refused keys. */
  private static final long LIMIT_NS = 1_000_000;

  private boolean lasts;
  private long sinceNs;

  /** Notes whether requests still lack a place after a submission. */
  void note(boolean isShort, long nowNs) {
    if (!lasts) {
      sinceNs = nowNs;
    }
    lasts = isShort;
  }

  /**
   * Returns whether the shortage has reached the limit, and then starts a new measurement. Plans a
   * turn for the limit.
   */
  boolean isOver(long nowNs, NextTurn next) {
    if (!lasts) {
      return false;
    }
    boolean isOver = nowNs - sinceNs >= LIMIT_NS;
    if (isOver) {
      sinceNs = nowNs;
    }
    next.at(sinceNs + LIMIT_NS);
    return isOver;
  }
}
