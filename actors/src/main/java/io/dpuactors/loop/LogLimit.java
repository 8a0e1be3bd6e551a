package io.dpuactors.loop;

/** Lets at most one log line per interval pass, and counts the others. One thread. */
final class LogLimit {
  private final long intervalNs;
  private long nextNs;
  private boolean isUsed;
  private long suppressed;

  LogLimit(long intervalNs) {
    this.intervalNs = intervalNs;
  }

  /** Returns whether a line may be written at this time. A line that may not is counted. */
  boolean passes(long nowNs) {
    if (isUsed && nowNs - nextNs < 0) {
      suppressed++;
      return false;
    }
    isUsed = true;
    nextNs = nowNs + intervalNs;
    return true;
  }

  /** The number of lines that did not pass since the last call. */
  long takeSuppressed() {
    long count = suppressed;
    suppressed = 0;
    return count;
  }
}
