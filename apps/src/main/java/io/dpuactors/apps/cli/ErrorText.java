package io.dpuactors.apps.cli;

import io.dpuactors.wire.OneLine;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/** Texts of exceptions for the messages of commands. */
public final class ErrorText {
  private ErrorText() {}

  /**
   * Returns an exception's message in one line. The JDK's errors about a file often contain only
   * its name.
   */
  public static String of(Exception e) {
    return OneLine.of(text(e));
  }

  private static String text(Exception e) {
    if (e instanceof UncheckedIOException unchecked) {
      return text(Objects.requireNonNull(unchecked.getCause()));
    }
    if (e instanceof FileSystemException file && file.getReason() == null) {
      String why =
          file instanceof AccessDeniedException
              ? "permission denied"
              : file instanceof NoSuchFileException
                  ? "no such file or directory"
                  : file instanceof FileAlreadyExistsException
                      ? "exists already, or is not a directory"
                      : file.getClass().getSimpleName();
      return file.getFile() + ": " + why;
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
