package io.dpuactors.service;

/**
 * Compares the progress of a peer at regular times. Several checks without progress are a stall.
 */
final class StallCheck {
  /** Number of checks in a row without progress that are a stall. */
  static final int CHECKS = 4;

  private long seen;
  private int checks;

  /**
   * Makes one check. Returns whether the peer has stalled.
   *
   * @param done measure of the progress; each change is progress
   * @param isWaiting whether the next progress depends on the peer
   */
  boolean isStalled(long done, boolean isWaiting) {
    checks = isWaiting && done == seen ? checks + 1 : 0;
    seen = done;
    return checks >= CHECKS;
  }

  /** Forgets the checks before this call. */
  void reset() {
    checks = 0;
  }
}
