package io.dpuactors.protocol.wire;

/** A message is not the frame that was expected; what it belonged to cannot be put together. */
public final class FrameException extends WireException {
  private static final long serialVersionUID = 1;

  private final Problem problem;

  /** What can be wrong. */
  public enum Problem {
    /** The message has no frame's header. */
    NOT_A_FRAME,
    /** The header is of a version that is not known here. */
    UNKNOWN_VERSION,
    /** The checksum is wrong. */
    DAMAGED,
    /** A frame is missing, came twice, or came out of order. */
    OUT_OF_ORDER,
    /** The header contradicts the frame before it, or itself. */
    CONTRADICTION,
    /** The payload is beyond the limit. */
    TOO_LARGE
  }

  FrameException(Problem problem, String message) {
    super(message);
    this.problem = problem;
  }

  /** What is wrong. */
  public Problem problem() {
    return problem;
  }
}
