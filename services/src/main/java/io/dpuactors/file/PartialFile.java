package io.dpuactors.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An incomplete output. The output has a {@link PartName} in the folder of the target, and only its
 * owner can read it. The output gets the target's name when it is complete and on disk. Until then
 * this process holds a lock on it, so that {@link StaleParts} of other processes keep it.
 *
 * <p>Without {@code replace}, link(2) sets the name. The call fails when the name exists, so an
 * existing file is never lost. On file systems without hard links, this class checks the name and
 * calls rename(2). A file that appears between the two is replaced. With {@code replace}, rename(2)
 * sets the name: a reader of the target sees the complete old file or the complete new file.
 */
final class PartialFile implements OutputFile, JointNames.Unnamed {
  private static final Logger LOG = LoggerFactory.getLogger(PartialFile.class);
  private static final int ATTEMPTS = 100;

  private final PartialFiles owner;
  private final Path target;
  private final boolean replace;
  private final Path path;
  private final FileChannel channel;

  /** Closes the channel, which releases the lock. */
  private final Closeable lock;

  private final WriteBack writeBack;
  private final @Nullable Journal journal;
  private boolean isDeleted;

  private PartialFile(
      PartialFiles owner,
      Path target,
      boolean replace,
      Path path,
      FileChannel channel,
      Closeable lock,
      @Nullable Journal journal) {
    this.owner = owner;
    this.target = target;
    this.replace = replace;
    this.path = path;
    this.channel = channel;
    this.lock = lock;
    this.writeBack = WriteBack.create(channel::force);
    this.journal = journal;
  }

  static PartialFile create(PartialFiles owner, Path wanted, boolean replace) throws IOException {
    Path target = OutputTarget.resolve(wanted, replace);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Path path = target.resolveSibling(PartName.locked());
      FileChannel channel = open(path);
      try {
        if (channel.tryLock() != null && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
          return new PartialFile(owner, target, replace, path, channel, channel, null);
        }
      } catch (IOException e) {
        LOG.debug("{}: the file system has no locks", path, e);
        Path unlocked = target.resolveSibling(PartName.unlocked());
        Files.move(path, unlocked, StandardCopyOption.ATOMIC_MOVE);
        return new PartialFile(owner, target, replace, unlocked, channel, channel, null);
      }
      channel.close(); // another process removed it as stale before the lock
    }
    throw new IOException("other processes removed each temporary file");
  }

  /**
   * Opens the output that a killed process of the same job has left, or begins one. Call {@link
   * #recover} before its use.
   *
   * @param job identifies the job: see {@link Journal#identity}
   */
  static PartialFile resume(PartialFiles owner, Path wanted, boolean replace, byte[] job)
      throws IOException {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Path target = OutputTarget.resolve(wanted, replace);
      Path path = target.resolveSibling(PartName.kept(target, "part"));
      KeptPart part = KeptPart.open(path, wanted);
      PartialFile file = null;
      try {
        KeptPart.Attempt lock = part.lock();
        if (lock == KeptPart.Attempt.LOCKED) {
          Path records = target.resolveSibling(PartName.kept(target, "journal"));
          Journal journal = Journal.open(records, job);
          file = new PartialFile(owner, target, replace, path, part.channel(), part, journal);
          return file;
        }
        if (lock == KeptPart.Attempt.UNSUPPORTED) {
          Files.deleteIfExists(path);
          return create(owner, wanted, replace);
        }
      } finally {
        if (file == null) {
          part.close();
        }
      }
    }
    throw new IOException("other processes removed each temporary file");
  }

  /** Reads what an earlier process has completed. This may take long. */
  void recover() throws IOException {
    if (journal == null) {
      return;
    }
    journal.recover(channel);
    if (!journal.problem().isEmpty()) {
      long blocks = journal.resumed().blocks();
      String from = blocks == 0 ? "the beginning" : "block " + blocks;
      LOG.warn("{}: begins again at {}: {}", target, from, journal.problem());
    }
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(
        path,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  @Override
  public FileChannel channel() {
    return channel;
  }

  @Override
  public void wrote(long bytes) throws IOException {
    writeBack.wrote(bytes);
  }

  @Override
  public FileReport.Resumed resumed() {
    return journal == null ? FileReport.Resumed.NOTHING : journal.resumed();
  }

  @Override
  public void add(ByteBuffer bytes) {
    if (journal != null) {
      journal.add(bytes);
    }
  }

  @Override
  public void completed(long inputEnd) throws IOException {
    if (journal != null) {
      journal.completed(inputEnd);
    }
  }

  @Override
  public void suspend() throws IOException {
    if (journal == null) {
      discard();
      return;
    }
    owner.forget(this);
    try {
      journal.close();
    } finally {
      lock.close();
    }
  }

  @Override
  public Path target() {
    return target;
  }

  @Override
  public boolean replaces() {
    return replace;
  }

  /** Returns the path of the content until the output has its name. */
  Path path() {
    return path;
  }

  /** Syncs the content to the disk, then gives the file its name. */
  @Override
  public void publish(Set<PosixFilePermission> permissions) throws IOException {
    publish(List.of(this), permissions);
  }

  /** Syncs the content of all files of a process to the disk, then gives them their names. */
  static void publish(List<PartialFile> files, Set<PosixFilePermission> permissions)
      throws IOException {
    for (PartialFile file : files) {
      file.permit(permissions);
      file.writeBack.finish();
    }
    files.get(0).owner.publish(files);
    for (PartialFile file : files) {
      file.closeWhole();
      file.syncFolder();
    }
  }

  /**
   * Closes the file, which releases the lock. A failure is only logged: the output has its name and
   * is on disk.
   */
  private void closeWhole() {
    try (lock) {
      if (journal != null) {
        journal.delete();
      }
    } catch (IOException e) {
      LOG.warn("{}: complete and on disk, but its part or journal remains open", target, e);
    }
  }

  /** Closes and deletes the file. Idempotent. */
  @Override
  public void discard() throws IOException {
    owner.forget(this);
    delete();
  }

  /** Idempotent: without the lock, the path may name the file of another process. */
  synchronized void delete() throws IOException {
    if (isDeleted) {
      return;
    }
    isDeleted = true;
    try {
      Files.deleteIfExists(path);
      if (journal != null) {
        journal.delete();
      }
    } finally {
      lock.close();
    }
  }

  @Override
  public void giveName() throws IOException {
    if (replace) {
      Files.move(path, target, StandardCopyOption.ATOMIC_MOVE);
      return;
    }
    try {
      Files.createLink(target, path);
      Files.delete(path);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
      Files.move(path, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /**
   * Sets the permissions. A file system without permissions refuses this; its defaults then apply.
   */
  private void permit(Set<PosixFilePermission> permissions) {
    try {
      Files.setPosixFilePermissions(path, permissions);
    } catch (IOException | UnsupportedOperationException e) {
      LOG.debug("{}: the file system has no permissions", path, e);
    }
  }

  /** Syncs the name to the disk. Some file systems cannot sync a folder. */
  private void syncFolder() {
    try (FileChannel folder =
        FileChannel.open(target.resolveSibling("."), StandardOpenOption.READ)) {
      folder.force(true);
    } catch (IOException e) {
      LOG.debug("{}: cannot sync its folder", target, e);
    }
  }
}
