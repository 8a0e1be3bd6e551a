package io.dpuactors.bridge;

import java.util.EnumSet;
import java.util.Set;

/**
 * The DOCA libraries whose contexts execute tasks between buffers. Each constant is one row; {@code
 * TaskFunctions} has the functions of the row.
 */
public enum TaskLibrary {
  /** {@code doca_compress}: deflate both ways, LZ4 decompression. */
  COMPRESS(
      "compress",
      "compress or decompress",
      TaskKind.COMPRESS_DEFLATE,
      TaskKind.DECOMPRESS_LZ4_STREAM),

  /** {@code doca_dma}: copies from memory to memory. The failure of a task stops its context. */
  DMA("dma", "memory copies (DMA)", TaskKind.DMA_MEMCPY, TaskKind.DMA_MEMCPY),

  /** {@code doca_sha}: digests of buffers by SHA-1, SHA-256 and SHA-512. */
  SHA("sha", "hashes (SHA)", TaskKind.SHA_HASH, TaskKind.SHA_HASH);

  private final String shortName;
  private final String purpose;
  private final TaskKind firstKind;
  private final TaskKind lastKind;

  TaskLibrary(String shortName, String purpose, TaskKind firstKind, TaskKind lastKind) {
    this.shortName = shortName;
    this.purpose = purpose;
    this.firstKind = firstKind;
    this.lastKind = lastKind;
  }

  /** Returns the name without the prefix of all libraries, such as {@code compress}. */
  public String shortName() {
    return shortName;
  }

  /** Returns the name of the library, such as {@code doca_compress}. */
  public String docaName() {
    return "doca_" + shortName;
  }

  /** Returns the purpose of the library's devices in words, for errors. */
  public String purpose() {
    return purpose;
  }

  /** Returns all kinds of tasks of the library. */
  public Set<TaskKind> kinds() {
    return EnumSet.range(firstKind, lastKind);
  }
}
