package io.dpuactors.experiments.run;

/** An experiment cannot be run, or not go on; the message says why, in one line. */
public final class RunException extends Exception {
  private static final long serialVersionUID = 1;

  /** For people. */
  public RunException(String message) {
    super(message);
  }

  /** For people, with what it came from. */
  public RunException(String message, Throwable cause) {
    super(message, cause);
  }
}
