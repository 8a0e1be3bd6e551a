package io.dpuactors.node;

/**
 * How a context treats its requests.
 *
 * @param window tasks in flight per kind
 * @param queue requests that may wait
 * @param deadlineNs from arrival to answer
 * @param patienceNs how long the bridge tries a submission again that was answered AGAIN, all the
 *     time; only then it comes back to the lane
 * @param retryTurns how many turns of the loop a submission that was answered AGAIN is tried once
 *     per turn
 * @param retryDelayNs between the tries after that
 */
public record LaneSettings(
    int window, int queue, long deadlineNs, long patienceNs, int retryTurns, long retryDelayNs) {

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
    if (patienceNs < 0 || retryTurns < 0) {
      throw new IllegalArgumentException("retry-patience and retry-turns must not be negative");
    }
  }

  /** For a context of which everything that is answered AGAIN comes back at once. */
  public LaneSettings(int window, int queue, long deadlineNs, int retryTurns, long retryDelayNs) {
    this(window, queue, deadlineNs, 0, retryTurns, retryDelayNs);
  }

  /** The same with another patience of the bridge. */
  public LaneSettings withPatience(long ns) {
    return new LaneSettings(window, queue, deadlineNs, ns, retryTurns, retryDelayNs);
  }

  /** The same for the pieces of payloads that wait elsewhere: a window of them is never refused. */
  LaneSettings forPieces() {
    return new LaneSettings(
        window, Math.max(queue, window), deadlineNs, patienceNs, retryTurns, retryDelayNs);
  }
}
