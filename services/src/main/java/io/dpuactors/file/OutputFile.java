package io.dpuactors.file;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Output of one job. Thread: the job's. */
interface OutputFile {
  /** Returns the channel for the content. */
  FileChannel channel();

  /** Counts bytes that the job has written to the channel. */
  default void wrote(long bytes) throws IOException {}

  /** Publishes the complete output under its name, if it has one. */
  void publish(Set<PosixFilePermission> permissions) throws IOException;

  /** Removes the output if possible. Idempotent. */
  void discard() throws IOException;

  /** Standard output. Its reader sees each block at once, so nothing can be removed. */
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
