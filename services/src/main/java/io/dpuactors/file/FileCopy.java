package io.dpuactors.file;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * Copies one file. The device copies its blocks from one registered memory to another, in parallel.
 * The actor writes them in order.
 */
public final class FileCopy {
  private FileCopy() {}

  /**
   * Creates the actor for one file. Spawn it on {@code DispatcherSelector.blocking()}. The actor
   * stops after its last event, also on {@link FileCommand.Cancel}.
   *
   * @param job input, output and options
   * @param workers at least one DMA context. Blocks are as long as the source buffers allow;
   *     destinations must be as large
   * @param partials holds the output until it is complete
   * @param listener receives progress, then exactly one {@link FileEvent.Done} or {@link
   *     FileEvent.Failed}
   */
  public static Behavior<FileCommand> create(
      FileJob.Copy job,
      List<BlockWorker> workers,
      PartialFiles partials,
      ActorRef<? super FileEvent> listener) {
    return FilePipeline.create(new CopyWork(job, partials), workers, listener);
  }
}
