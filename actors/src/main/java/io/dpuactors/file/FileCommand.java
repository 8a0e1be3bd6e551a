package io.dpuactors.file;

/** What the actor that works on one file understands. */
public sealed interface FileCommand permits FileCommand.Cancel, FilePipeline.Internal {
  /**
   * Give up: no further block is started, the output is deleted, the buffers that are with the
   * device are waited for, then the listener gets {@link FileEvent.Failed}. This is how to stop the
   * actor; stopping it by force leaves the device's buffers leased.
   */
  enum Cancel implements FileCommand {
    /** The only one. */
    INSTANCE
  }
}
