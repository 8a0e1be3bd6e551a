package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * A regular file, opened for reading.
 *
 * @param path as it was given
 * @param channel at its beginning
 * @param bytes its size when it was opened
 * @param permissions that its output gets as well
 */
record InputFile(Path path, FileChannel channel, long bytes, Set<PosixFilePermission> permissions) {
  static InputFile open(Path path) throws FileException {
    try {
      PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
      if (!attributes.isRegularFile()) {
        throw new FileException(
            FileFailure.of(
                Kind.INPUT,
                path,
                attributes.isDirectory() ? "is a directory" : "is not a regular file"));
      }
      return new InputFile(
          path,
          FileChannel.open(path, StandardOpenOption.READ),
          attributes.size(),
          attributes.permissions());
    } catch (IOException e) {
      throw FileException.input(path, e);
    }
  }
}
