package io.dpuactors.bridge.internal;

/** States of a DOCA context; mirrors {@code enum doca_ctx_states}. */
public enum ContextState {
  /** Created or stopped: may be configured, started, destroyed. */
  IDLE,
  /** Starting; progress leads to RUNNING. */
  STARTING,
  /** Accepts tasks. */
  RUNNING,
  /** Stopping, on request or after a failure; progress leads to IDLE after every task is freed. */
  STOPPING;

  private static final ContextState[] BY_VALUE = values();

  /**
   * Returns the state of DOCA's number.
   *
   * @throws IllegalArgumentException for an unknown number
   */
  public static ContextState of(int value) {
    if (value < 0 || value >= BY_VALUE.length) {
      throw new IllegalArgumentException("no state of a context has number " + value);
    }
    return BY_VALUE[value];
  }
}
