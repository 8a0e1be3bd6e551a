package io.dpuactors.file;

import io.dpuactors.bridge.TaskKind;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** One file to work on. */
public sealed interface FileJob {
  /**
   * As input: standard input. As output: standard output, which gets every block as soon as the
   * block is verified. A file of this name is {@code ./-}.
   */
  Path STREAM = Path.of("-");

  /** Whether a path stands for {@link #STREAM}. */
  static boolean isStream(Path path) {
    return path.equals(STREAM);
  }

  /** What is read: a regular file, or {@link #STREAM}. */
  Path input();

  /**
   * What is written: appears under this name when it is whole, and not at all when anything fails;
   * or {@link #STREAM}.
   */
  Path output();

  /** Whether an output that exists is replaced; otherwise it is an error. */
  boolean replace();

  /** What a device must be able to do for this. */
  Set<TaskKind> kinds();

  /**
   * Why this cannot even begin, as far as the files tell: for those who would open a device, or
   * connect to one, in vain. Reads a folder or two; not for an engine's thread.
   */
  default Optional<FileFailure> obstacle() {
    return FileWork.obstacle(this);
  }

  /**
   * Make a gzip file out of any file.
   *
   * @param blockBytes content of one member; the device works on blocks independently
   * @param verify inflate each block again on the device before it is written, and compare the
   *     CRC-32 of all three: the input, what the device says of it, and what came back. Always true
   *     if the output is a stream
   */
  record Compress(Path input, Path output, long blockBytes, boolean verify, boolean replace)
      implements FileJob {
    /** A stream gets verified blocks only. */
    public Compress {
      verify |= isStream(output);
    }

    @Override
    public Set<TaskKind> kinds() {
      return verify
          ? Set.of(TaskKind.COMPRESS_DEFLATE, TaskKind.DECOMPRESS_DEFLATE)
          : Set.of(TaskKind.COMPRESS_DEFLATE);
    }
  }

  /**
   * Get the content of a gzip file back that {@link Compress} has written.
   *
   * @param maxMemberBytes members with more content than this are refused; the device's limit holds
   *     in any case
   */
  record Decompress(Path input, Path output, long maxMemberBytes, boolean replace)
      implements FileJob {
    @Override
    public Set<TaskKind> kinds() {
      return Set.of(TaskKind.DECOMPRESS_DEFLATE);
    }
  }

  /**
   * Copy a file through the memory of the device.
   *
   * @param blockBytes size of one copy; the device works on blocks independently
   * @param verify compare the CRC-32 of each block before and after
   */
  record Copy(Path input, Path output, long blockBytes, boolean verify, boolean replace)
      implements FileJob {
    @Override
    public Set<TaskKind> kinds() {
      return Set.of(TaskKind.DMA_MEMCPY);
    }
  }
}
