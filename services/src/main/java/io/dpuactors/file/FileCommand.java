package io.dpuactors.file;

/** Command for the actor that processes one file. */
public sealed interface FileCommand permits FileCommand.Cancel, PipelineMessage {
  /**
   * Cancels the file. The actor starts no further block, deletes the output, and waits for the
   * buffers that the device holds. Then the listener gets {@link FileEvent.Failed}. Stop the actor
   * only with this command: a forced stop leaves the device's buffers leased.
   */
  enum Cancel implements FileCommand {
    /** The only instance. */
    INSTANCE
  }
}
