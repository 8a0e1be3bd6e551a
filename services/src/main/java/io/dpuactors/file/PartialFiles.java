package io.dpuactors.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Partial outputs of this process. Close this object before the process ends: it deletes every
 * partial file. Afterwards no partial file can be created or published. Thread: any.
 */
public final class PartialFiles implements AutoCloseable {
  private final Set<PartialFile> open = new HashSet<>();
  private final List<Closeable> streams = new ArrayList<>();
  private final Set<Path> swept = ConcurrentHashMap.newKeySet();
  private final boolean resumable;
  private boolean closed;

  private PartialFiles(boolean resumable) {
    this.resumable = resumable;
  }

  /** Creates an empty set. */
  public static PartialFiles create() {
    return new PartialFiles(false);
  }

  /**
   * Creates an empty set whose outputs remain after a killed process: a later process of the same
   * job continues them. Outputs of streams and of jobs with keys do not remain.
   */
  public static PartialFiles resumable() {
    return new PartialFiles(true);
  }

  /** Begins or continues the output of a job. */
  PartialFile begin(FileJob job) throws IOException {
    Optional<byte[]> identity = resumable ? Journal.identity(job) : Optional.empty();
    return identity.isPresent()
        ? begin(() -> PartialFile.resume(this, job.output(), job.replace(), identity.get()))
        : begin(job.output(), job.replace());
  }

  PartialFile begin(Path target, boolean replace) throws IOException {
    return begin(() -> PartialFile.create(this, target, replace));
  }

  private PartialFile begin(Opening opening) throws IOException {
    PartialFile file = create(opening);
    try {
      file.recover(); // without the lock of this object: close() must not wait
    } catch (IOException e) {
      suspend(file, e);
      throw e;
    }
    if (swept.add(file.path().resolveSibling("."))) {
      StaleParts.removeBeside(file.path());
    }
    return file;
  }

  private static void suspend(PartialFile file, IOException cause) {
    try {
      file.suspend();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private synchronized PartialFile create(Opening opening) throws IOException {
    checkOpen();
    PartialFile file = opening.open();
    open.add(file);
    return file;
  }

  /**
   * Registers a standard stream, which {@link #close} also closes. A thread that is blocked on the
   * stream then fails.
   */
  synchronized void include(Closeable stream) throws IOException {
    checkOpen();
    streams.add(stream);
  }

  /** Gives complete files their names: all or none. Fails after {@link #close}. */
  synchronized void publish(List<PartialFile> files) throws IOException {
    checkOpen();
    if (files.size() == 1) {
      files.get(0).giveName();
    } else {
      JointNames.give(files);
    }
    files.forEach(open::remove);
  }

  synchronized void forget(PartialFile file) {
    open.remove(file);
  }

  /** Deletes all partial files and refuses new ones. Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    IOException failure = null;
    List<Closeable> all = new ArrayList<>(streams);
    open.forEach(file -> all.add(file::delete));
    for (Closeable each : all) {
      try {
        each.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    open.clear();
    streams.clear();
    if (failure != null) {
      throw new UncheckedIOException("cannot delete a partial output", failure);
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** Opens a partial file. */
  private interface Opening {
    PartialFile open() throws IOException;
  }
}
