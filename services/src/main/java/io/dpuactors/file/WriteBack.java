package io.dpuactors.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Syncs a growing file to the disk while its job continues, so that the last sync is short. At most
 * one sync runs at a time. Thread: the job's.
 */
final class WriteBack {
  /** Bytes between two syncs. Each sync also writes the journal of the file system. */
  static final long STEP_BYTES = 32 << 20;

  /** Syncs a file: {@code FileChannel::force}. */
  interface Sync {
    void force(boolean metadata) throws IOException;
  }

  private final Sync sync;
  private final Executor executor;
  private long unsynced;
  private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

  private WriteBack(Sync sync, Executor executor) {
    this.sync = sync;
    this.executor = executor;
  }

  /** Creates an object for an empty file, which syncs on daemon threads. */
  static WriteBack create(Sync sync) {
    return create(sync, WriteBack::start);
  }

  static WriteBack create(Sync sync, Executor executor) {
    return new WriteBack(sync, executor);
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "dpu-write-back");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Counts written bytes. Starts a sync after every {@link #STEP_BYTES}, unless one still runs.
   *
   * @throws IOException if an earlier sync failed: the kernel reports an error only once
   */
  void wrote(long bytes) throws IOException {
    unsynced += bytes;
    if (unsynced < STEP_BYTES || !running.isDone()) {
      return;
    }
    await();
    unsynced = 0;
    running = CompletableFuture.runAsync(this::syncContent, executor);
  }

  private void syncContent() {
    try {
      sync.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Syncs content and metadata, and returns when both are on disk.
   *
   * @throws IOException if this or an earlier sync failed
   */
  void finish() throws IOException {
    await();
    sync.force(true);
  }

  private void await() throws IOException {
    try {
      running.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException failed) {
        throw failed.getCause();
      }
      throw e;
    }
  }
}
