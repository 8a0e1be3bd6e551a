package io.dpuactors.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open part of a resumable output. One job of this process has it: if a second job opened and
 * closed the same file, the kernel would drop the lock of the first.
 */
final class KeptPart implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(KeptPart.class);
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  /** Parts that jobs of this process have. */
  private static final Set<Key> HELD = ConcurrentHashMap.newKeySet();

  /** Result of an attempt to lock the part. */
  enum Attempt {
    /** The part is locked, and its path names it. */
    LOCKED,
    /** Its path names another file or none. Open the part again. */
    STALE,
    /** The file system has no locks. */
    UNSUPPORTED
  }

  /**
   * Identifies a part, also if links or mounts give its folder several paths.
   *
   * @param folder device and inode
   */
  private record Key(Object folder, Path name) {}

  private final Path path;
  private final Path wanted;
  private final Key key;
  private final FileChannel channel;
  private boolean isClosed;

  private KeptPart(Path path, Path wanted, Key key, FileChannel channel) {
    this.path = path;
    this.wanted = wanted;
    this.key = key;
    this.channel = channel;
  }

  /**
   * Opens or creates the part, unless another job of this process has it.
   *
   * @param wanted name of the output, for messages
   */
  static KeptPart open(Path path, Path wanted) throws IOException {
    Key key = new Key(fileKey(path.resolveSibling(".")), path.getFileName());
    if (!HELD.add(key)) {
      throw refused(wanted, "job of this process");
    }
    try {
      return new KeptPart(path, wanted, key, Journal.openKept(path));
    } catch (IOException | RuntimeException e) {
      HELD.remove(key);
      throw e;
    }
  }

  FileChannel channel() {
    return channel;
  }

  private static FileSystemException refused(Path wanted, String owner) {
    return new FileSystemException(wanted.toString(), null, "is the output of another " + owner);
  }

  /**
   * Locks the part, and removes a part that is also a complete output. Close the part unless the
   * result is {@link Attempt#LOCKED}.
   *
   * @throws FileSystemException if another process has the part
   */
  Attempt lock() throws IOException {
    boolean isLocked;
    try {
      isLocked = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      isLocked = false; // a job of this process has the file under another name
    } catch (IOException e) {
      LOG.debug("{}: the file system has no locks", path, e);
      return Attempt.UNSUPPORTED;
    }
    if (!isLocked) {
      throw refused(wanted, "process");
    }
    if (!hasPath()) {
      return Attempt.STALE;
    }
    if (hasSecondName()) {
      Files.delete(path);
      return Attempt.STALE;
    }
    return Attempt.LOCKED;
  }

  /**
   * Returns whether the path names the open file. Another process may have removed or published the
   * file between the open and the lock, and a third may have created a new one.
   */
  private boolean hasPath() throws IOException {
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
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
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
  private boolean hasSecondName() throws IOException {
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
