package io.dpuactors.protocol.wire;

import java.io.IOException;

/** A message is not the expected frame; its payload cannot be reassembled. */
public final class FrameException extends IOException {
  private static final long serialVersionUID = 1;

  private final Problem problem;

  /** Kinds of problems. */
  public enum Problem {
    /** The message has no frame header. */
    NOT_A_FRAME,
    /** The header has an unknown version. */
    UNKNOWN_VERSION,
    /** The checksum is wrong. */
    DAMAGED,
    /** A frame is missing, repeated, or out of order. */
    OUT_OF_ORDER,
    /** The header contradicts itself or the previous frame. */
    CONTRADICTION,
    /** The payload exceeds the limit. */
    TOO_LARGE
  }

  FrameException(Problem problem, String message) {
    super(message);
    this.problem = problem;
  }

  /** Returns the kind of problem. */
  public Problem problem() {
    return problem;
  }
}
