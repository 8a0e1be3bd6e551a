package io.dpuactors.file;

import io.dpuactors.bridge.DocaError;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reason why a file failed.
 *
 * @param kind cause of the failure
 * @param file the file of the message; null: the message concerns no single file
 * @param block number of the failed block, from 0; empty: no single block failed
 * @param device the device's error; empty: the device reported none
 * @param message for users: the failed step and its reason, without the file's name
 * @param cause exception, for debugging
 */
public record FileFailure(
    Kind kind,
    @Nullable Path file,
    OptionalLong block,
    Optional<DocaError> device,
    String message,
    @Nullable Throwable cause) {
  /** Cause of a failure. */
  public enum Kind {
    /** The input is missing, unreadable, damaged or in another format. */
    INPUT,
    /** The output exists already. */
    EXISTS,
    /** The output cannot be written. */
    OUTPUT,
    /** The reader of standard output has closed it. The closed output ends the job. */
    READER_GONE,
    /** The request exceeds a limit of the device. */
    LIMIT,
    /** There is no such device, or it could not be opened. */
    DEVICE,
    /** The device failed at a block, or its context failed. */
    TASK,
    /** The device returned a wrong result. */
    VERIFY,
    /** The user cancelled the file. */
    CANCELLED,
    /** The rest of the fleet has removed this client. */
    REMOVED,
    /** A fleet has refused the configuration of this client. */
    REFUSED,
    /** This program has a bug. */
    INTERNAL
  }

  static FileFailure of(Kind kind, @Nullable Path file, String message) {
    return of(kind, file, message, null);
  }

  static FileFailure of(Kind kind, @Nullable Path file, String message, @Nullable Throwable cause) {
    return new FileFailure(kind, file, OptionalLong.empty(), Optional.empty(), message, cause);
  }

  static FileFailure of(Kind kind, @Nullable Path file, DocaError error) {
    return new FileFailure(
        kind, file, OptionalLong.empty(), Optional.of(error), error.toString(), null);
  }

  static FileFailure atBlock(Kind kind, Path file, long block, String message) {
    return new FileFailure(kind, file, OptionalLong.of(block), Optional.empty(), message, null);
  }

  static FileFailure atBlock(Path file, long block, DocaError error) {
    return new FileFailure(
        Kind.TASK, file, OptionalLong.of(block), Optional.of(error), error.toString(), null);
  }

  /** Returns this failure with a later failure appended to its message. */
  FileFailure andThen(FileFailure next) {
    return new FileFailure(kind, file, block, device, message + "; then " + next, cause);
  }

  private String name(Path path) {
    if (FileJob.isStream(path)) {
      return kind == Kind.OUTPUT || kind == Kind.READER_GONE ? "standard output" : "standard input";
    }
    return path.toString().isEmpty() ? "''" : path.toString();
  }

  /** Returns one line: file, block, message. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    if (file != null) {
      line.append(name(file)).append(": ");
    }
    if (block.isPresent()) {
      line.append("block ").append(block.getAsLong()).append(": ");
    }
    return line.append(message).toString();
  }
}
