package io.dpuactors.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes partial outputs that a killed process left in a folder. The class removes a part only if
 * this user owns it, its name shows a lock under this kernel, and no process holds that lock. The
 * kernel releases the lock at the end of the process.
 */
final class StaleParts {
  private static final Logger LOG = LoggerFactory.getLogger(StaleParts.class);

  private StaleParts() {}

  /**
   * Removes the stale parts in the folder of a part of this process. The method keeps parts that it
   * cannot examine, and logs them at debug level: they do not affect the output of this process.
   */
  static void removeBeside(Path own) {
    Path folder = own.resolveSibling(".");
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, PartName.GLOB)) {
      Object user = owner(own);
      for (Path part : parts) {
        if (PartName.isProvedByLock(part)) {
          removeIfStale(part, user);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("{}: cannot remove stale partial outputs", folder, e);
    }
  }

  private static void removeIfStale(Path part, Object user) {
    try {
      if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS) || !owner(part).equals(user)) {
        return;
      }
      try (FileChannel channel =
              FileChannel.open(part, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
          FileLock lock = channel.tryLock()) {
        if (lock != null && Files.deleteIfExists(part)) {
          LOG.info("{}: removed the partial output of a killed process", part);
        }
      }
    } catch (IOException e) {
      LOG.debug("{}: not removed, cannot be examined", part, e);
    }
  }

  private static Object owner(Path file) throws IOException {
    return Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }
}
