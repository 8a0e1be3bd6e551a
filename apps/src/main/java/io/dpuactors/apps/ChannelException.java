package io.dpuactors.apps;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import org.jspecify.annotations.Nullable;

/**
 * A program of the communication channel cannot go on: one line for people, and the exit status.
 */
final class ChannelException extends Exception {
  private static final long serialVersionUID = 1;

  private final ExitCode code;
  private final @Nullable DocaError error;

  ChannelException(ExitCode code, String message) {
    super(message);
    this.code = code;
    this.error = null;
  }

  ChannelException(ExitCode code, DocaError error) {
    super(error.toString());
    this.code = code;
    this.error = error;
  }

  /** Whether this is what DOCA has answered. */
  boolean is(DocaCode answer) {
    return error != null && error.code() == answer;
  }

  ExitCode code() {
    return code;
  }
}
