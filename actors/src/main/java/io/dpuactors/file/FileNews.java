package io.dpuactors.file;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;

/** What is told of one file: how far it is, now and then, and lastly how it ended. */
final class FileNews {
  /**
   * Nobody looks more often, and each message wakes other threads while the device needs the cores.
   */
  private static final long PROGRESS_INTERVAL_NS = Duration.ofMillis(50).toNanos();

  private final BlockWork work;
  private final ActorRef<? super FileEvent> listener;
  private final long startNs = System.nanoTime();
  private long nextProgressNs = startNs;

  /** The file's time begins now. */
  FileNews(BlockWork work, ActorRef<? super FileEvent> listener) {
    this.work = work;
    this.listener = listener;
  }

  /** So many bytes of the input are done. */
  void progress(long doneBytes) {
    long now = System.nanoTime();
    if (now - nextProgressNs >= 0 || doneBytes == work.inputBytes()) {
      nextProgressNs = now + PROGRESS_INTERVAL_NS;
      listener.tell(new FileEvent.Progress(work.job(), doneBytes, work.inputBytes()));
    }
  }

  /** The output is whole, of so many blocks; an empty file has one. */
  void done(long blocks) {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - startNs);
    listener.tell(
        new FileEvent.Done(
            work.job(),
            new FileReport(work.bytesRead(), work.bytesWritten(), Math.max(1, blocks), elapsed)));
  }

  /** There is no output. */
  void failed(FileFailure why) {
    listener.tell(new FileEvent.Failed(work.job(), why));
  }
}
