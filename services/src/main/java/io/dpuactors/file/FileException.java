package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.wire.IoReason;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Carries a {@link FileFailure} to the actor that reports it. */
final class FileException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient FileFailure failure;

  FileException(FileFailure failure) {
    super(failure.toString(), failure.cause());
    this.failure = failure;
  }

  FileFailure failure() {
    return failure;
  }

  static FileException input(Path file, IOException cause) {
    return new FileException(
        FileFailure.of(
            Kind.INPUT, file, "cannot be read: " + reason(cause, "no such file"), cause));
  }

  static FileException damaged(Path file, IOException cause) {
    return new FileException(FileFailure.of(Kind.INPUT, file, IoReason.of(cause), cause));
  }

  /** Returns the failure for a file that the signal hook has closed. */
  static FileException cancelled(Path file, IOException cause) {
    return new FileException(FileFailure.of(Kind.CANCELLED, file, "cancelled", cause));
  }

  static FileException output(Path file, long written, IOException cause) {
    if (cause instanceof FileAlreadyExistsException) {
      return new FileException(FileFailure.of(Kind.EXISTS, file, "exists already", cause));
    }
    if (FileJob.isStream(file) && IoReason.of(cause).contains("Broken pipe")) {
      return new FileException(
          FileFailure.of(Kind.READER_GONE, file, "its reader has closed it", cause));
    }
    String after = written > 0 ? " (after %d bytes)".formatted(written) : "";
    return new FileException(
        FileFailure.of(
            Kind.OUTPUT,
            file,
            "cannot be written%s: %s".formatted(after, reason(cause, "no such directory")),
            cause));
  }

  private static String reason(IOException cause, String notFound) {
    if (cause instanceof NoSuchFileException) {
      return notFound;
    }
    String reason = IoReason.of(cause);
    return reason.contains("No space left") || reason.contains("quota exceeded")
        ? "disk full (" + reason + ")"
        : reason;
  }
}
