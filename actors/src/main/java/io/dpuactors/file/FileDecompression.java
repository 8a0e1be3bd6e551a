package io.dpuactors.file;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * Gets the content of one gzip file back whose members say their size. Headers are read in order,
 * members inflated by the device in parallel, length and CRC-32 checked by the CPU against the
 * file, blocks written in order.
 */
public final class FileDecompression {
  private FileDecompression() {}

  /**
   * The actor for one file; spawn it on {@code DispatcherSelector.blocking()}. It ends by itself
   * after its last event, and on {@link FileCommand.Cancel}.
   *
   * @param job what to do
   * @param stations contexts that inflate, at least one; a member that does not fit into their
   *     buffers is an error, so ask {@code GzipSummary.scan} for the sizes first
   * @param partials where the output is known until it is whole
   * @param listener gets progress, then exactly one {@link FileEvent.Done} or {@link
   *     FileEvent.Failed}
   */
  public static Behavior<FileCommand> create(
      FileJob.Decompress job,
      List<Station> stations,
      PartialFiles partials,
      ActorRef<? super FileEvent> listener) {
    return FilePipeline.create(new DecompressWork(job, partials, null), stations, listener);
  }
}
