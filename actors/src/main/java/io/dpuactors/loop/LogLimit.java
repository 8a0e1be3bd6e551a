package io.dpuactors.loop;

/** Permits at most one log line per interval and counts the suppressed lines. One thread. */
final class LogLimit {
  private final long intervalNs;
  private long nextNs;
  private boolean isUsed;
  private long suppressed;

  LogLimit(long intervalNs) {
    this.intervalNs = intervalNs;
  }

  /** Returns whether a line may be written at this time. Counts the line if not. */
  boolean passes(long nowNs) {
    if (isUsed && nowNs - nextNs < 0) {
      suppressed++;
      return false;
    }
    isUsed = true;
    nextNs = nowNs + intervalNs;
    return true;
  }

  /** Returns the number of suppressed lines since the last call. */
  long takeSuppressed() {
    long count = suppressed;
    suppressed = 0;
    return count;
  }
}
