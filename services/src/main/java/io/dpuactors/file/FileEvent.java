package io.dpuactors.file;

/**
 * Event of one file: any number of {@link Progress}, then exactly one {@link Done} or {@link
 * Failed}.
 */
public sealed interface FileEvent extends BatchEvent {
  /** Returns the job of the file. */
  FileJob job();

  /**
   * The actor has written blocks. Sent at intervals, and after the last block.
   *
   * @param bytesDone bytes of the input whose blocks are in the output
   * @param bytesTotal size of the input at its open; negative for a pipe
   */
  record Progress(FileJob job, long bytesDone, long bytesTotal) implements FileEvent {}

  /** The output is complete: on disk under its name, or written to standard output. */
  record Done(FileJob job, FileReport report) implements FileEvent {}

  /** The file failed. There is no output, except verified blocks on standard output. */
  record Failed(FileJob job, FileFailure failure) implements FileEvent {}
}
