package io.dpuactors.gzip;

import java.io.IOException;

/**
 * The reader does not accept a file. The message states the problem, its position and a solution.
 */
public final class GzipFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final Problem problem;

  /** Kinds of problems. */
  public enum Problem {
    /** The gzip magic number is missing. */
    NOT_GZIP,
    /** The file is valid gzip, but its members do not state their size. */
    NO_MEMBER_SIZE,
    /** The compression method is not deflate. */
    UNKNOWN_METHOD,
    /** Flag bits that RFC 1952 reserves are set. */
    RESERVED_FLAGS,
    /** The file ends inside a member. */
    TRUNCATED,
    /** A size in the file is impossible. */
    WRONG_SIZE,
    /** A size in the file exceeds the reader's limit. */
    TOO_LARGE,
    /** The last member is followed by other bytes. */
    TRAILING_BYTES
  }

  /**
   * Creates an exception.
   *
   * @param problem the kind of problem
   * @param message text for the user
   */
  public GzipFormatException(Problem problem, String message) {
    super(message);
    this.problem = problem;
  }

  /** Returns the kind of problem. */
  public Problem problem() {
    return problem;
  }
}
