package io.dpuactors.file;

/**
 * Event of one file of a {@link HashBatch}: any number of {@link Progress}, then exactly one {@link
 * Done} or {@link Failed}. The last events of the files arrive in the order of the files.
 */
public sealed interface HashEvent extends BatchEvent {
  /** Returns the index of the file in {@link HashSettings#files}. */
  int index();

  /**
   * The device has hashed parts of the first file without a result. Sent at intervals.
   *
   * @param bytesDone bytes that the device has hashed
   * @param bytesTotal size of the file at its open; negative for a pipe
   */
  record Progress(int index, long bytesDone, long bytesTotal) implements HashEvent {}

  /**
   * The digest of the file.
   *
   * @param bytes size of the file
   * @param digest lower-case hexadecimal digits
   */
  record Done(int index, long bytes, String digest) implements HashEvent {}

  /** The file has no digest. */
  record Failed(int index, FileFailure failure) implements HashEvent {}
}
