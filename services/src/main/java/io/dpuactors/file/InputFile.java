package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A regular file or standard input, open for reading.
 *
 * @param path as the user wrote it
 * @param channel positioned at the beginning of the input
 * @param bytes size at its open; {@link #UNKNOWN_BYTES} for a pipe
 * @param permissions permissions of the input, which its output also gets
 */
record InputFile(Path path, FileChannel channel, long bytes, Set<PosixFilePermission> permissions) {
  static final long UNKNOWN_BYTES = -1;

  private static final int OWNER_ONLY = 0077;
  private static final String MODES = "rw-rw-rw-";

  static InputFile open(Path path) throws FileException {
    return open(path, false);
  }

  /** Opens a regular file, a pipe, a device, or standard input. */
  static InputFile openAny(Path path) throws FileException {
    return open(path, true);
  }

  private static InputFile open(Path path, boolean any) throws FileException {
    try {
      if (FileJob.isStream(path)) {
        return standardInput();
      }
      PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
      if (attributes.isDirectory() || (!any && !attributes.isRegularFile())) {
        throw new FileException(
            FileFailure.of(
                Kind.INPUT,
                path,
                attributes.isDirectory() ? "is a directory" : "is not a regular file"));
      }
      return new InputFile(
          path,
          FileChannel.open(path, StandardOpenOption.READ),
          attributes.isRegularFile() ? attributes.size() : UNKNOWN_BYTES,
          attributes.permissions());
    } catch (IOException e) {
      throw FileException.input(path, e);
    }
  }

  /**
   * Opens standard input. A redirected file is read from its descriptor's position, like a pipe.
   */
  private static InputFile standardInput() throws IOException {
    FileChannel channel = new FileInputStream(FileDescriptor.in).getChannel();
    long size = channel.size();
    long bytes = size > 0 ? Math.max(0, size - channel.position()) : UNKNOWN_BYTES;
    return new InputFile(FileJob.STREAM, channel, bytes, defaultPermissions());
  }

  /** Returns the permissions that this process's umask allows; without /proc, only the owner's. */
  private static Set<PosixFilePermission> defaultPermissions() {
    try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
      int mask =
          status
              .filter(line -> line.startsWith("Umask:"))
              .mapToInt(line -> Integer.parseInt(line.substring(6).strip(), 8))
              .findFirst()
              .orElse(OWNER_ONLY);
      return IntStream.range(0, MODES.length())
          .filter(bit -> (mask >> (MODES.length() - 1 - bit) & 1) == 0 && MODES.charAt(bit) != '-')
          .mapToObj(bit -> PosixFilePermission.values()[bit])
          .collect(Collectors.toSet());
    } catch (IOException | UncheckedIOException e) {
      return PosixFilePermissions.fromString("rw-------");
    }
  }
}
