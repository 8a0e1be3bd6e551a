package io.dpuactors.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open part of a resumable output. One job of this process has it: if a second job opened and
 * closed the same file, the kernel would drop the lock of the first.
 */
final class KeptPart implements Closeable {
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  /** Real paths of the parts that jobs of this process have. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final Path key;
  private final FileChannel channel;
  private boolean isClosed;

  private KeptPart(Path path, Path key, FileChannel channel) {
    this.path = path;
    this.key = key;
    this.channel = channel;
  }

  /**
   * Opens or creates the part, unless another job of this process has it.
   *
   * @param wanted name of the output, for messages
   */
  static KeptPart open(Path path, Path wanted) throws IOException {
    Path key = path.resolveSibling(".").toRealPath().resolve(path.getFileName());
    if (!HELD.add(key)) {
      throw new FileSystemException(
          wanted.toString(), null, "is the output of another job of this process");
    }
    try {
      return new KeptPart(path, key, Journal.openKept(path));
    } catch (IOException | RuntimeException e) {
      HELD.remove(key);
      throw e;
    }
  }

  FileChannel channel() {
    return channel;
  }

  /**
   * Locks the part. Returns false if another process has it.
   *
   * @throws IOException when the file system has no locks
   */
  boolean lock() throws IOException {
    return channel.tryLock() != null;
  }

  /**
   * Returns whether the path names the open file. Another process may have removed or published the
   * file between the open and the lock, and a third may have created a new one.
   */
  boolean hasPath() throws IOException {
    Object named;
    try {
      named = fileKey(path, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return false;
    }
    // This process opens the path only here, so the match is the open file.
    try (DirectoryStream<Path> files = Files.newDirectoryStream(OPEN_FILES)) {
      for (Path file : files) {
        if (isOpen(file, named)) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean isOpen(Path file, Object named) {
    try {
      return named.equals(fileKey(file));
    } catch (IOException e) {
      return false; // another thread has closed it
    }
  }

  private static Object fileKey(Path file, LinkOption... options) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, options).fileKey();
  }

  /** Returns whether a process was killed between the new name of a part and the end of the old. */
  boolean hasSecondName() throws IOException {
    return (int) Files.getAttribute(path, "unix:nlink", LinkOption.NOFOLLOW_LINKS) > 1;
  }

  /** Closes the file, which releases the lock. Idempotent. */
  @Override
  public synchronized void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      channel.close();
    } finally {
      HELD.remove(key);
    }
  }
}
