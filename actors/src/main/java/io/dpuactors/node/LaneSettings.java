package io.dpuactors.node;

/**
 * Limits, deadlines and retries of a context's requests.
 *
 * @param window tasks in flight per kind
 * @param queue requests that may wait
 * @param deadlineNs from arrival to answer
 * @param retryBudgetNs how long the bridge continuously retries a submission after AGAIN, before it
 *     returns the submission to the lane
 * @param retryTurns number of turns in which the lane then retries once per turn
 * @param retryDelayNs delay between the retries after that
 */
public record LaneSettings(
    int window, int queue, long deadlineNs, long retryBudgetNs, int retryTurns, long retryDelayNs) {

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
    if (retryBudgetNs < 0 || retryTurns < 0) {
      throw new IllegalArgumentException("retry-patience and retry-turns must not be negative");
    }
  }

  /** Creates settings without retries in the bridge: each AGAIN returns to the lane at once. */
  public LaneSettings(int window, int queue, long deadlineNs, int retryTurns, long retryDelayNs) {
    this(window, queue, deadlineNs, 0, retryTurns, retryDelayNs);
  }

  /** Returns a copy with another retry budget of the bridge. */
  public LaneSettings withRetryBudget(long ns) {
    return new LaneSettings(window, queue, deadlineNs, ns, retryTurns, retryDelayNs);
  }

  /**
   * Returns a copy for pieces of payloads, which wait elsewhere: the lane never refuses a window of
   * pieces.
   */
  LaneSettings forPieces() {
    return new LaneSettings(
        window, Math.max(queue, window), deadlineNs, retryBudgetNs, retryTurns, retryDelayNs);
  }
}
