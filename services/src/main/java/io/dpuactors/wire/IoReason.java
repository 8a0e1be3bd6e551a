package io.dpuactors.wire;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** Reasons of errors for messages that name the file themselves. Thread: any. */
public final class IoReason {
  private IoReason() {}

  /**
   * Returns the reason without the name of the file. Some errors of the JDK contain only the name.
   */
  public static String of(IOException error) {
    @Nullable String reason =
        error instanceof FileSystemException file ? file.getReason() : error.getMessage();
    return reason == null ? ofType(error) : reason;
  }

  private static String ofType(IOException error) {
    if (error instanceof NoSuchFileException) {
      return "no such file";
    }
    if (error instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (error instanceof NotDirectoryException) {
      return "is not a directory";
    }
    return error instanceof FileAlreadyExistsException ? "exists already" : error.toString();
  }
}
