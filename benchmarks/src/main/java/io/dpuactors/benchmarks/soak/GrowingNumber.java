package io.dpuactors.benchmarks.soak;

/**
 * A number that begins with 0, and that only the additions of one sender change. Each adds 1. The
 * device executes the additions in the order of their requests. A failed addition may have no
 * effect. Thread: any.
 */
final class GrowingNumber {
  private long requested;
  private long lastOrdinal = -1;
  private long lastFound = -1;

  /** Adds a request. Returns its ordinal number, from 0. */
  synchronized long request() {
    return requested++;
  }

  /** Returns the number of requests, which the number never exceeds. */
  synchronized long requested() {
    return requested;
  }

  /**
   * Checks the answer to an addition.
   *
   * @param ordinal of the request
   * @param found the number before the addition
   * @return false if this addition and another one overlap, or another addition was lost
   */
  synchronized boolean isRight(long ordinal, long found) {
    long requests = ordinal - lastOrdinal;
    long growth = found - lastFound;
    lastOrdinal = ordinal;
    lastFound = found;
    return requests > 0 ? 1 <= growth && growth <= requests : requests <= growth && growth <= -1;
  }
}
