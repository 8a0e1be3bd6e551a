package io.dpuactors.file;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Where the content of one job goes. Thread: the job's. */
interface OutputFile {
  /** Takes the content. */
  FileChannel channel();

  /** Everything is written: the output becomes visible under its name, if it has one. */
  void publish(Set<PosixFilePermission> permissions) throws IOException;

  /** Removes what can be removed; harmless when that has happened already. */
  void discard() throws IOException;

  /** Standard output: its reader sees every block at once, so nothing can be removed. */
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
