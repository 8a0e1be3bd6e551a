package io.dpuactors.file;

import io.dpuactors.bridge.DocaError;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Why a file could not be worked on.
 *
 * @param kind whose fault it is
 * @param file the file that the message is about; null when it is about none in particular
 * @param block number of the block, from 0, if it happened at one
 * @param device the device's own error, if it has one
 * @param message what failed and why, for people, without the file's name
 * @param cause for debugging
 */
public record FileFailure(
    Kind kind,
    @Nullable Path file,
    OptionalLong block,
    Optional<DocaError> device,
    String message,
    @Nullable Throwable cause) {
  /** Whose fault a failure is. */
  public enum Kind {
    /** The input is not there, not readable, damaged or of another format. */
    INPUT,
    /** The output exists already. */
    EXISTS,
    /** The output cannot be written. */
    OUTPUT,
    /** The reader of standard output has closed it, which ends the job. */
    READER_GONE,
    /** The request is beyond what the device can do. */
    LIMIT,
    /** There is no such device, or it cannot be opened. */
    DEVICE,
    /** The device failed at a block, or its context broke. */
    TASK,
    /** The device gave a wrong result. */
    VERIFY,
    /** Someone asked to stop. */
    CANCELLED,
    /** A mistake in this program. */
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

  /** The same, and what went wrong after it. */
  FileFailure andThen(FileFailure next) {
    return new FileFailure(kind, file, block, device, message + "; and then " + next, cause);
  }

  private String name(Path path) {
    if (FileJob.isStream(path)) {
      return kind == Kind.OUTPUT || kind == Kind.READER_GONE ? "standard output" : "standard input";
    }
    return path.toString().isEmpty() ? "''" : path.toString();
  }

  /** One line: file, block, message. */
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
