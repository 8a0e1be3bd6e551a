package io.dpuactors.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The outputs of this process that are not whole yet. Whoever ends the process closes this first:
 * every partial file is deleted, and none is made or gets its final name afterwards. Any thread.
 */
public final class PartialFiles implements AutoCloseable {
  private final Set<PartialFile> open = new HashSet<>();
  private final List<Closeable> streams = new ArrayList<>();
  private final Set<Path> swept = ConcurrentHashMap.newKeySet();
  private boolean closed;

  private PartialFiles() {}

  /** No partial files yet. */
  public static PartialFiles create() {
    return new PartialFiles();
  }

  PartialFile begin(Path target, boolean replace) throws IOException {
    PartialFile file = create(target, replace);
    if (swept.add(file.path().resolveSibling("."))) {
      AbandonedParts.removeBeside(file.path());
    }
    return file;
  }

  private synchronized PartialFile create(Path target, boolean replace) throws IOException {
    checkOpen();
    PartialFile file = PartialFile.create(this, target, replace);
    open.add(file);
    return file;
  }

  /**
   * Closes a standard stream, too, when this is closed: a thread that waits for its other end then
   * fails instead of waiting on.
   */
  synchronized void include(Closeable stream) throws IOException {
    checkOpen();
    streams.add(stream);
  }

  /** Run the last step of a partial file, unless all were deleted before. */
  synchronized void publish(PartialFile file, Publication step) throws IOException {
    checkOpen();
    step.run();
    open.remove(file);
  }

  synchronized void forget(PartialFile file) {
    open.remove(file);
  }

  /** Delete what is partial, refuse what comes. Idempotent. */
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
      throw new UncheckedIOException("a partial output could not be deleted", failure);
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

  /** What gives a partial file its name. */
  interface Publication {
    void run() throws IOException;
  }
}
