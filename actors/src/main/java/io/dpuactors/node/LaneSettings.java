package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;

/**
 * Limits and deadline of a context's requests.
 *
 * @param window tasks in flight per kind
 * @param queue requests that may wait
 * @param deadlineNs from arrival to answer
 */
public record LaneSettings(int window, int queue, long deadlineNs) {

  /** Checks ranges. */
  public LaneSettings {
    if (window < 1) {
      throw new IllegalArgumentException("window is " + window + "; it must be at least 1");
    }
    if (queue < 0) {
      throw new IllegalArgumentException("queue is " + queue + "; it must not be negative");
    }
    if (deadlineNs <= 0) {
      throw new IllegalArgumentException("deadline must be greater than zero");
    }
  }

  /**
   * Returns a copy for pieces of payloads, which wait elsewhere: the lane never refuses a window of
   * pieces.
   */
  LaneSettings forPieces() {
    return new LaneSettings(window, Math.max(queue, window), deadlineNs);
  }

  /** Returns the error of a request without an answer at its deadline. */
  DocaError timeOut(String about) {
    return DocaError.of(
        "doca_task",
        DocaCode.TIME_OUT,
        "%s: no answer within %d ms".formatted(about, deadlineNs / 1_000_000));
  }
}
