package io.dpuactors.gzip;

import java.io.IOException;

/**
 * The reader does not accept a file. The message states the problem, its position and a solution.
 */
public final class GzipFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final Problem problem;
  private final long offset;

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
   * Creates an exception for a problem at an offset.
   *
   * @param problem the kind of problem
   * @param offset offset of the member in the file, in bytes
   * @param message text for the user
   */
  public GzipFormatException(Problem problem, long offset, String message) {
    super(message);
    this.problem = problem;
    this.offset = offset;
  }

  /** Returns the kind of problem. */
  public Problem problem() {
    return problem;
  }

  /** Returns the offset of the member in the file, in bytes. */
  public long offset() {
    return offset;
  }
}
