package io.dpuactors.file;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * Decompresses one gzip file whose members contain their size. The actor reads headers in order.
 * The device inflates members in parallel. The CPU checks length and CRC-32 of each block against
 * the file. The actor writes the blocks in order.
 */
public final class FileDecompression {
  private FileDecompression() {}

  /**
   * Creates the actor for one file. Spawn it on {@code DispatcherSelector.blocking()}. The actor
   * stops after its last event, also on {@link FileCommand.Cancel}.
   *
   * @param job input, output and options
   * @param workers at least one context that inflates. A member larger than their buffers is an
   *     error, so get the sizes from {@code GzipSummary.scan} first
   * @param partials holds the output until it is complete
   * @param listener receives progress, then exactly one {@link FileEvent.Done} or {@link
   *     FileEvent.Failed}
   */
  public static Behavior<FileCommand> create(
      FileJob.Decompress job,
      List<BlockWorker> workers,
      PartialFiles partials,
      ActorRef<? super FileEvent> listener) {
    return FilePipeline.create(new DecompressWork(job, partials, null), workers, listener);
  }
}
