package io.dpuactors.file;

/**
 * What becomes of one file: any number of {@link Progress}, then exactly one {@link Done} or {@link
 * Failed}.
 */
public sealed interface FileEvent extends BatchEvent {
  /** The file it is about. */
  FileJob job();

  /**
   * Blocks have been written. Sent now and then, and when all are.
   *
   * @param bytesDone of the input that are in the output now
   * @param bytesTotal size of the input when it was opened; negative if it is a pipe
   */
  record Progress(FileJob job, long bytesDone, long bytesTotal) implements FileEvent {}

  /** The output is there, whole: on disk under its name, or written to standard output. */
  record Done(FileJob job, FileReport report) implements FileEvent {}

  /** There is no output, but for verified blocks on standard output. */
  record Failed(FileJob job, FileFailure failure) implements FileEvent {}
}
