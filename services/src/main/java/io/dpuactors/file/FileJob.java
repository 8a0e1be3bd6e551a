package io.dpuactors.file;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.encrypted.CipherKey;
import io.dpuactors.erasure.Stripes;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Job for one file. */
public sealed interface FileJob {
  /**
   * As input: standard input. As output: standard output, which gets each block after its
   * verification. For a file of this name, use {@code ./-}.
   */
  Path STREAM = Path.of("-");

  /** Returns whether a path stands for {@link #STREAM}. */
  static boolean isStream(Path path) {
    return path.equals(STREAM);
  }

  /** Returns the input: a regular file, or {@link #STREAM}. */
  Path input();

  /**
   * Returns the output: {@link #STREAM}, or a file. The file appears under this name when it is
   * complete, and not after a failure.
   */
  Path output();

  /**
   * Returns whether the job replaces an existing output; otherwise an existing output is an error.
   */
  boolean replace();

  /** Returns the key that the job encrypts or decrypts with; empty: it does neither. */
  default Optional<CipherKey> encryption() {
    return Optional.empty();
  }

  /** Returns the tasks that a device must support for this job. */
  Set<TaskKind> kinds();

  /**
   * Returns why the job cannot start, as far as its files show; empty: no obstacle found. Call it
   * before you open a device or a connection. The method reads the file system: do not call it on
   * an engine's thread.
   */
  default Optional<FileFailure> obstacle() {
    return JobCheck.obstacle(this);
  }

  /**
   * Compresses any file to a gzip file.
   *
   * @param blockBytes content of one member; the device processes blocks independently
   * @param verify inflate each block on the device before it is written. Compare three CRC-32: of
   *     the input, from the device, and of the inflated block. Always true if the output is a
   *     stream
   * @param encryption key that encrypts each member; then a block has from 64 KiB to 4 MiB. Empty:
   *     the output is a gzip file
   */
  record Compress(
      Path input,
      Path output,
      long blockBytes,
      boolean verify,
      Optional<CipherKey> encryption,
      boolean replace)
      implements FileJob {
    /** Turns verification on for a stream: it gets only verified blocks. */
    public Compress {
      verify |= isStream(output);
    }

    /** A job without encryption. */
    public Compress(Path input, Path output, long blockBytes, boolean verify, boolean replace) {
      this(input, output, blockBytes, verify, Optional.empty(), replace);
    }

    @Override
    public Set<TaskKind> kinds() {
      Set<TaskKind> kinds = EnumSet.of(TaskKind.COMPRESS_DEFLATE);
      if (verify) {
        kinds.add(TaskKind.DECOMPRESS_DEFLATE);
      }
      if (encryption.isPresent()) {
        kinds.add(TaskKind.AES_GCM_ENCRYPT);
      }
      return kinds;
    }
  }

  /**
   * Decompresses a gzip file that {@link Compress} has written.
   *
   * @param maxMemberBytes largest content of a member; the device's limit also applies
   * @param encryption key of the encrypted members; empty: the input is a gzip file
   */
  record Decompress(
      Path input, Path output, long maxMemberBytes, Optional<CipherKey> encryption, boolean replace)
      implements FileJob {
    /** A job without encryption. */
    public Decompress(Path input, Path output, long maxMemberBytes, boolean replace) {
      this(input, output, maxMemberBytes, Optional.empty(), replace);
    }

    @Override
    public Set<TaskKind> kinds() {
      Set<TaskKind> kinds = EnumSet.of(TaskKind.DECOMPRESS_DEFLATE);
      if (encryption.isPresent()) {
        kinds.add(TaskKind.AES_GCM_DECRYPT);
      }
      return kinds;
    }
  }

  /**
   * Encrypts any file.
   *
   * @param key the file key is derived from it
   * @param blockBytes content of one block, from 64 KiB to 4 MiB
   */
  record Encrypt(Path input, Path output, CipherKey key, int blockBytes, boolean replace)
      implements FileJob {
    @Override
    public Optional<CipherKey> encryption() {
      return Optional.of(key);
    }

    @Override
    public Set<TaskKind> kinds() {
      return Set.of(TaskKind.AES_GCM_ENCRYPT);
    }
  }

  /**
   * Decrypts a file that {@link Encrypt} has written. The output contains only authentic blocks.
   *
   * @param key the key of the encryption
   */
  record Decrypt(Path input, Path output, CipherKey key, boolean replace) implements FileJob {
    @Override
    public Optional<CipherKey> encryption() {
      return Optional.of(key);
    }

    @Override
    public Set<TaskKind> kinds() {
      return Set.of(TaskKind.AES_GCM_DECRYPT);
    }
  }

  /**
   * Copies a file through the memory of the device.
   *
   * @param blockBytes size of one copy; the device processes blocks independently
   * @param verify compare the CRC-32 of each block before and after the copy
   */
  record Copy(Path input, Path output, long blockBytes, boolean verify, boolean replace)
      implements FileJob {
    @Override
    public Set<TaskKind> kinds() {
      return Set.of(TaskKind.DMA_MEMCPY);
    }
  }

  /**
   * Encodes any file to parts, of which some may be lost: see docs/erasure-format.md.
   *
   * @param output a folder, which the job creates if it is absent
   * @param stripes number of parts and size of their blocks
   */
  record Encode(Path input, Path output, Stripes stripes, boolean replace) implements FileJob {
    @Override
    public Set<TaskKind> kinds() {
      return Set.of(TaskKind.EC_CREATE);
    }
  }

  /**
   * Restores a file from its parts.
   *
   * @param input a folder with the parts that {@link Encode} has written
   */
  record Recover(Path input, Path output, boolean replace) implements FileJob {
    @Override
    public Set<TaskKind> kinds() {
      return Set.of(TaskKind.EC_RECOVER);
    }
  }
}
