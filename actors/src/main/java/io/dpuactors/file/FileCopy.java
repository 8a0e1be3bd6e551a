package io.dpuactors.file;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * Copies one file. The device moves its blocks from one registered memory to another, many at a
 * time; they are written in order.
 */
public final class FileCopy {
  private FileCopy() {}

  /**
   * The actor for one file; spawn it on {@code DispatcherSelector.blocking()}. It ends by itself
   * after its last event, and on {@link FileCommand.Cancel}.
   *
   * @param job what to do
   * @param stations DMA contexts, at least one; blocks are as long as the source buffers allow, and
   *     destinations must be as large
   * @param partials where the output is known until it is whole
   * @param listener gets progress, then exactly one {@link FileEvent.Done} or {@link
   *     FileEvent.Failed}
   */
  public static Behavior<FileCommand> create(
      FileJob.Copy job,
      List<Station> stations,
      PartialFiles partials,
      ActorRef<? super FileEvent> listener) {
    return FilePipeline.create(new CopyWork(job, partials), stations, listener);
  }
}
