package io.dpuactors.file;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;

/** Sends the events of one file to its listener: progress at intervals, and last the result. */
final class FileEvents {
  private final BlockWork work;
  private final ActorRef<? super FileEvent> listener;
  private final long startNs = System.nanoTime();
  private final ProgressInterval interval = new ProgressInterval();

  /** Starts the file's clock. */
  FileEvents(BlockWork work, ActorRef<? super FileEvent> listener) {
    this.work = work;
    this.listener = listener;
  }

  /**
   * Reports progress, at most once per interval and at the end.
   *
   * @param doneBytes processed bytes of the input
   */
  void progress(long doneBytes) {
    if (interval.isDue() || doneBytes == work.inputBytes()) {
      listener.tell(new FileEvent.Progress(work.job(), doneBytes, work.inputBytes()));
    }
  }

  /**
   * Reports a complete output.
   *
   * @param blocks number of blocks; an empty file counts as one
   */
  void done(long blocks) {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - startNs);
    listener.tell(
        new FileEvent.Done(
            work.job(),
            new FileReport(
                work.bytesRead(),
                work.bytesWritten(),
                Math.max(1, blocks),
                work.resumed(),
                elapsed)));
  }

  /** Reports a failure. */
  void failed(FileFailure why) {
    listener.tell(new FileEvent.Failed(work.job(), why));
  }
}
