package io.dpuactors.apps.cli;

import io.dpuactors.file.FileFailure;

/** Exit status of the program. */
public enum ExitCode {
  /** The command has succeeded. */
  OK(0, "success; also a server that SIGTERM has stopped cleanly"),
  /** The command failed. */
  FAILURE(
      1,
      "failure: output exists or cannot be written, the device failed, no server, connection lost"),
  /** The command line or the configuration is wrong. */
  USAGE(2, "wrong use: unknown option, invalid value, invalid configuration"),
  /** An input is bad. */
  INPUT(3, "an input is missing, unreadable, damaged, or in another format"),
  /** A device is missing, or a request exceeds its limits. */
  DEVICE(4, "no such device or library, or a request beyond a device's limit"),
  /** The majority of a fleet has removed this node or client. */
  DOWNED(
      5,
      "the rest of the fleet has removed this node or client ('dpu fleet up' starts a node again)"),
  /** SIGINT stopped the program. */
  INTERRUPTED(130, "stopped by SIGINT (Ctrl-C); no partial output remains"),
  /** The reader of standard output has closed it. */
  BROKEN_PIPE(141, "the reader of standard output has closed it; no message"),
  /** SIGTERM stopped the program. */
  TERMINATED(143, "stopped by SIGTERM (not a server); no partial output remains");

  private final int status;
  private final String meaning;

  ExitCode(int status, String meaning) {
    this.status = status;
    this.meaning = meaning;
  }

  /** Returns the status for the operating system. */
  public int status() {
    return status;
  }

  /** Returns the meaning for users. */
  public String meaning() {
    return meaning;
  }

  /** Returns the status of a program that has failed to process a file. */
  public static ExitCode of(FileFailure.Kind kind) {
    return switch (kind) {
      case INPUT -> INPUT;
      case LIMIT, DEVICE -> DEVICE;
      case READER_GONE -> BROKEN_PIPE;
      case REMOVED -> DOWNED;
      case REFUSED -> USAGE;
      case EXISTS, OUTPUT, TASK, VERIFY, CANCELLED, INTERNAL -> FAILURE;
    };
  }
}
