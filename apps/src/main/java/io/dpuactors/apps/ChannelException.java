package io.dpuactors.apps;

/**
 * A program of the communication channel cannot go on: one line for people, and the exit status.
 */
final class ChannelException extends Exception {
  private static final long serialVersionUID = 1;

  private final ExitCode code;

  ChannelException(ExitCode code, String message) {
    super(message);
    this.code = code;
  }

  ExitCode code() {
    return code;
  }
}
