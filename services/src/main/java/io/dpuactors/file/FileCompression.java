package io.dpuactors.file;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * Compresses one file to a gzip file with one member per block, in order. The device deflates the
 * blocks in parallel. The CRC-32 of each member is the device's. An empty file becomes one empty
 * member.
 */
public final class FileCompression {
  private FileCompression() {}

  /**
   * Creates the actor for one file. Spawn it on {@code DispatcherSelector.blocking()}. The actor
   * stops after its last event, also on {@link FileCommand.Cancel}.
   *
   * @param job input, output and options
   * @param workers at least one context that deflates (and inflates, to verify). Source buffers
   *     hold at least one block, destinations {@code GzipMember.maxPayloadBytes} of it. Blocks are
   *     as long as the source buffers allow
   * @param partials holds the output until it is complete
   * @param listener receives progress, then exactly one {@link FileEvent.Done} or {@link
   *     FileEvent.Failed}
   */
  public static Behavior<FileCommand> create(
      FileJob.Compress job,
      List<BlockWorker> workers,
      PartialFiles partials,
      ActorRef<? super FileEvent> listener) {
    return FilePipeline.create(new CompressWork(job, partials), workers, listener);
  }
}
