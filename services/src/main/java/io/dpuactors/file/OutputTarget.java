package io.dpuactors.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The paths of outputs. */
final class OutputTarget {
  private OutputTarget() {}

  /**
   * Resolves the target and refuses unsuitable ones before any work. The method follows a symbolic
   * link, so that the link's target is replaced.
   */
  static Path resolve(Path wanted, boolean replace) throws IOException {
    Path target = wanted.toAbsolutePath();
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return target;
    }
    Path real;
    try {
      real = target.toRealPath();
    } catch (NoSuchFileException e) {
      FileSystemException dangling =
          new FileSystemException(wanted.toString(), null, "is a dangling symbolic link");
      dangling.initCause(e);
      throw dangling;
    }
    if (!Files.isRegularFile(real)) {
      throw new FileSystemException(
          wanted.toString(),
          null,
          Files.isDirectory(real) ? "is a directory" : "exists and is not a regular file");
    }
    if (!replace) {
      throw new FileAlreadyExistsException(wanted.toString());
    }
    return real;
  }
}
