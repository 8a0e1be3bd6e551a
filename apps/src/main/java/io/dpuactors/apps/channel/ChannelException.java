package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import org.jspecify.annotations.Nullable;

/** Ends a program of the communication channel: one line for users, and the exit status. */
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

  /** Returns whether DOCA returned this error code. */
  boolean is(DocaCode answer) {
    return error != null && error.code() == answer;
  }

  ExitCode code() {
    return code;
  }
}
