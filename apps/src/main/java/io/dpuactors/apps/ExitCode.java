package io.dpuactors.apps;

import io.dpuactors.file.FileFailure;

/** What the program's exit status says. */
public enum ExitCode {
  /** Everything was done. */
  OK(0, "everything was done; a server was stopped by SIGTERM"),
  /** Something could not be worked on. */
  FAILURE(
      1,
      "it could not be done: output exists or cannot be written, the device failed, no server, connection lost"),
  /** Wrong use. */
  USAGE(2, "wrong use: unknown option, bad value, broken configuration file"),
  /** A bad input. */
  INPUT(3, "an input is missing, unreadable, damaged, or not of this format"),
  /** No such device, or beyond its limits. */
  DEVICE(4, "no such device or library, or a request beyond a device's limit"),
  /** Stopped by SIGINT. */
  INTERRUPTED(130, "stopped by SIGINT (Ctrl-C); no partial output is left"),
  /** The reader of standard output has closed it. */
  BROKEN_PIPE(141, "the reader of standard output has closed it; no message"),
  /** Stopped by SIGTERM. */
  TERMINATED(143, "stopped by SIGTERM, unless it was a server; no partial output is left");

  private final int status;
  private final String meaning;

  ExitCode(int status, String meaning) {
    this.status = status;
    this.meaning = meaning;
  }

  /** For the operating system. */
  public int status() {
    return status;
  }

  /** For people. */
  public String meaning() {
    return meaning;
  }

  static ExitCode of(FileFailure.Kind kind) {
    return switch (kind) {
      case INPUT -> INPUT;
      case LIMIT, DEVICE -> DEVICE;
      case READER_GONE -> BROKEN_PIPE;
      case EXISTS, OUTPUT, TASK, VERIFY, CANCELLED, INTERNAL -> FAILURE;
    };
  }
}
