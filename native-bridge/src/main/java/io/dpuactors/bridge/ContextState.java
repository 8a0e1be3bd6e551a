package io.dpuactors.bridge;

/** States of a DOCA context; mirrors {@code enum doca_ctx_states}. */
public enum ContextState {
  /** Created or stopped: may be configured, started, destroyed. */
  IDLE,
  /** Asked to start; RUNNING comes by progress. */
  STARTING,
  /** Takes tasks. */
  RUNNING,
  /** Asked to stop, or stopping by itself; IDLE comes by progress once every task is freed. */
  STOPPING;

  private static final ContextState[] BY_VALUE = values();

  /**
   * The state behind DOCA's number.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static ContextState of(int value) {
    if (value < 0 || value >= BY_VALUE.length) {
      throw new IllegalArgumentException("no state of a context has number " + value);
    }
    return BY_VALUE[value];
  }
}
