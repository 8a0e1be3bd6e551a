package io.dpuactors.node;

/**
 * Limits, deadlines and retries of a context's requests.
 *
 * @param window tasks in flight per kind
 * @param queue requests that may wait
 * @param deadlineNs from arrival to answer
 * @param retryBudgetNs how long the bridge continuously retries a submission after AGAIN, before it
 *     returns the submission to the lane; 0: no retries
 * @param retryDelayNs how long the lane then submits nothing of the same ordering key, unless a
 *     request of this key completes
 */
public record LaneSettings(
    int window, int queue, long deadlineNs, long retryBudgetNs, long retryDelayNs) {

  /** Checks ranges. */
  public LaneSettings {
    if (window < 1) {
      throw new IllegalArgumentException("window is " + window + "; it must be at least 1");
    }
    if (queue < 0) {
      throw new IllegalArgumentException("queue is " + queue + "; it must not be negative");
    }
    if (deadlineNs <= 0 || retryDelayNs <= 0) {
      throw new IllegalArgumentException("deadline and retry-delay must be greater than zero");
    }
    if (retryBudgetNs < 0) {
      throw new IllegalArgumentException("retry-budget must not be negative");
    }
  }

  /** Creates settings without retries in the bridge: each AGAIN returns to the lane at once. */
  public LaneSettings(int window, int queue, long deadlineNs, long retryDelayNs) {
    this(window, queue, deadlineNs, 0, retryDelayNs);
  }

  /** Returns a copy with another retry budget of the bridge. */
  public LaneSettings withRetryBudget(long ns) {
    return new LaneSettings(window, queue, deadlineNs, ns, retryDelayNs);
  }

  /**
   * Returns a copy for pieces of payloads, which wait elsewhere: the lane never refuses a window of
   * pieces.
   */
  LaneSettings forPieces() {
    return new LaneSettings(
        window, Math.max(queue, window), deadlineNs, retryBudgetNs, retryDelayNs);
  }
}
