package io.dpuactors.protocol.gzip;

import java.io.IOException;

/**
 * A file is not one that this project's reader takes. The message says what is wrong, where, and
 * what to do about it.
 */
public final class GzipFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final Problem problem;
  private final long offset;

  /** What can be wrong. */
  public enum Problem {
    /** There is no gzip magic number. */
    NOT_GZIP,
    /** Valid gzip, but its members do not say how long they are. */
    NO_MEMBER_SIZE,
    /** The compression method is not deflate. */
    UNKNOWN_METHOD,
    /** Flag bits that RFC 1952 reserves are set. */
    RESERVED_FLAGS,
    /** The file ends inside a member. */
    TRUNCATED,
    /** A size in the file cannot be true. */
    WRONG_SIZE,
    /** A size in the file is beyond what the reader allows. */
    TOO_LARGE,
    /** Something that is no member follows the last one. */
    TRAILING_BYTES
  }

  /**
   * A problem at an offset.
   *
   * @param problem what is wrong
   * @param offset in bytes from the start of the file: where the member begins that it is about
   * @param message for people
   */
  public GzipFormatException(Problem problem, long offset, String message) {
    super(message);
    this.problem = problem;
    this.offset = offset;
  }

  /** What is wrong. */
  public Problem problem() {
    return problem;
  }

  /** Where the member begins that it is about, in bytes from the start of the file. */
  public long offset() {
    return offset;
  }
}
