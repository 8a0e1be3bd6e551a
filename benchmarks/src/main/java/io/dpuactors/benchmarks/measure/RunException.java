package io.dpuactors.benchmarks.measure;

/** An experiment cannot be run or continued; the message has the reason, in one line. */
public final class RunException extends Exception {
  private static final long serialVersionUID = 1;

  /** Creates an exception with a message for the user. */
  public RunException(String message) {
    super(message);
  }

  /** Creates an exception with a message for the user and its cause. */
  public RunException(String message, Throwable cause) {
    super(message, cause);
  }
}
