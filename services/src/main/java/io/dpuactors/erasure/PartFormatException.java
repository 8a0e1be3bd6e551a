package io.dpuactors.erasure;

import java.io.IOException;

/** A file is no usable part, or a folder has no usable set of parts. */
public final class PartFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final Problem problem;

  /** Kinds of problems. */
  public enum Problem {
    /** The magic number is missing. */
    FOREIGN,
    /** A newer version of the program wrote the part. */
    UNKNOWN_VERSION,
    /** The header is incomplete, or its checksum is wrong. */
    DAMAGED,
    /** The folder has too few parts of one file. */
    TOO_FEW,
    /** The folder has enough parts of more than one file. */
    AMBIGUOUS
  }

  /**
   * Creates an exception.
   *
   * @param message text for the user, without the file's name
   */
  public PartFormatException(Problem problem, String message) {
    super(message);
    this.problem = problem;
  }

  /** Returns the kind of problem. */
  public Problem problem() {
    return problem;
  }
}
