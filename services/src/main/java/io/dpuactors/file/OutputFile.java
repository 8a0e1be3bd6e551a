package io.dpuactors.file;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Output of one job. Thread: the job's. */
interface OutputFile {
  /** Returns the channel for the content. */
  FileChannel channel();

  /** Counts bytes that the job has written to the channel. */
  default void wrote(long bytes) throws IOException {}

  /** Returns the part of the output that an earlier process has written. */
  default FileReport.Resumed resumed() {
    return FileReport.Resumed.NOTHING;
  }

  /** Takes bytes that the job writes to the channel next. */
  default void add(ByteBuffer bytes) {}

  /** Records that the channel has all blocks before an offset of the input. */
  default void completed(long inputEnd) throws IOException {}

  /** Closes the output, and keeps its blocks for a later process if it can. Idempotent. */
  default void suspend() throws IOException {
    discard();
  }

  /** Publishes the complete output under its name, if it has one. */
  void publish(Set<PosixFilePermission> permissions) throws IOException;

  /** Removes the output if possible. Idempotent. */
  void discard() throws IOException;

  /**
   * Standard output. The reader of standard output sees each block at once, so nothing can be
   * removed.
   */
  record Stream(FileChannel channel) implements OutputFile {
    static Stream open() {
      return new Stream(new FileOutputStream(FileDescriptor.out).getChannel());
    }

    @Override
    public void publish(Set<PosixFilePermission> permissions) {}

    @Override
    public void discard() {}
  }
}
