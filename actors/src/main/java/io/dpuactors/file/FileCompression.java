package io.dpuactors.file;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * Compresses one file to a gzip file of many members, each one block, in order. The device deflates
 * the blocks in parallel; the CRC-32 in each member is the one that the device returned. An empty
 * file becomes one empty member.
 */
public final class FileCompression {
  private FileCompression() {}

  /**
   * The actor for one file; spawn it on {@code DispatcherSelector.blocking()}. It ends by itself
   * after its last event, and on {@link FileCommand.Cancel}.
   *
   * @param job what to do
   * @param stations contexts that deflate (and inflate, to verify), at least one; source buffers of
   *     at least the block's size, destinations of {@code GzipMember.maxPayloadBytes} of it. Blocks
   *     are as long as the source buffers allow
   * @param partials where the output is known until it is whole
   * @param listener gets progress, then exactly one {@link FileEvent.Done} or {@link
   *     FileEvent.Failed}
   */
  public static Behavior<FileCommand> create(
      FileJob.Compress job,
      List<Station> stations,
      PartialFiles partials,
      ActorRef<? super FileEvent> listener) {
    return FilePipeline.create(new CompressWork(job, partials), stations, listener);
  }
}
