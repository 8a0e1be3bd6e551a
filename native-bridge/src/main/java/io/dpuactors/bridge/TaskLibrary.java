package io.dpuactors.bridge;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The DOCA libraries whose contexts execute tasks between buffers. Each constant is one row: it
 * drives bindings, contexts, configuration, capabilities and the tests of all contexts.
 */
public enum TaskLibrary {
  /** {@code doca_compress}: deflate both ways, LZ4 decompression. */
  COMPRESS(
      "compress",
      "doca_compress",
      "compress or decompress",
      Capability.of(TaskKind.COMPRESS_DEFLATE, "compress_deflate"),
      Capability.of(TaskKind.DECOMPRESS_DEFLATE, "decompress_deflate"),
      Capability.of(TaskKind.DECOMPRESS_LZ4_BLOCK, "decompress_lz4_block"),
      Capability.of(TaskKind.DECOMPRESS_LZ4_STREAM, "decompress_lz4_stream")),

  /** {@code doca_dma}: copies from memory to memory. The failure of a task stops its context. */
  DMA("dma", "doca_dma", "memory copies (DMA)", Capability.of(TaskKind.DMA_MEMCPY, "memcpy")),

  /** {@code doca_sha}: digests of buffers by SHA-1, SHA-256 and SHA-512. */
  SHA(
      "sha",
      "doca_sha",
      "hashes (SHA)",
      sha(TaskKind.SHA_HASH, "hash", null),
      sha(TaskKind.SHA_PARTIAL_HASH, "partial_hash", "cap_get_partial_hash_block_size")),

  /** {@code doca_aes_gcm}: authenticated encryption with keys of 128 and 256 bits. */
  AES_GCM(
      "aes-gcm",
      "doca_aes_gcm",
      "encryption (AES-GCM)",
      Capability.of(TaskKind.AES_GCM_ENCRYPT, "encrypt", "max_list_buf_num_elem"),
      Capability.of(TaskKind.AES_GCM_DECRYPT, "decrypt", "max_list_buf_num_elem")),

  /** {@code doca_erasure_coding}: redundancy blocks, and recovery of missing blocks. */
  ERASURE_CODING(
      "erasure-coding",
      "doca_ec",
      "erasure coding",
      erasureCoding(TaskKind.EC_CREATE, "create"),
      erasureCoding(TaskKind.EC_RECOVER, "recover"),
      erasureCoding(TaskKind.EC_UPDATE, "update"));

  /**
   * The functions that report the capabilities of one kind of tasks, without the prefix of the
   * library.
   *
   * @param supported returns SUCCESS if a device supports the kind
   * @param variants number of values of the second argument of {@code supported}, such as
   *     algorithms, one of which suffices; 0: the function has no such argument
   * @param maxBytes returns the size of the largest buffer
   * @param maxList returns the length of the longest list of buffers
   * @param partBytes returns the number of bytes of which each part of a message is a multiple, for
   *     each variant; null: the tasks have no parts and no sessions
   * @param minOutputBytes returns the size of the smallest destination, for each variant; null: the
   *     library has no such function
   */
  public record Capability(
      TaskKind kind,
      String supported,
      int variants,
      String maxBytes,
      String maxList,
      @Nullable String partBytes,
      @Nullable String minOutputBytes) {
    /** A kind without variants. */
    Capability(TaskKind kind, String supported, String maxBytes, String maxList) {
      this(kind, supported, 0, maxBytes, maxList, null, null);
    }

    /** Returns the functions of a kind with the usual names. */
    static Capability of(TaskKind kind, String task) {
      return of(kind, task, "max_buf_list_len");
    }

    /** Returns the same with another name of {@code maxList}. */
    static Capability of(TaskKind kind, String task, String maxList) {
      String name = "cap_task_" + task;
      return new Capability(
          kind, name + "_is_supported", name + "_get_max_buf_size", name + "_get_" + maxList);
    }
  }

  /**
   * An object that tasks of the first kind of a library use, with legal values, for tests of all
   * libraries.
   *
   * @param noun what the object is: a part of the names of C functions
   * @param function name of the function that creates it, without the prefix
   * @param arguments of the function between the context and the result
   * @param parameters that a task has behind the object; null: none
   */
  @SuppressWarnings("ArrayRecordComponent") // no code compares examples
  public record Example(
      String noun, String function, List<Object> arguments, byte @Nullable [] parameters) {}

  private static Capability sha(TaskKind kind, String task, @Nullable String partBytes) {
    return new Capability(
        kind,
        "cap_task_" + task + "_get_supported",
        3,
        "cap_get_max_src_buf_size",
        "cap_get_max_list_buf_num_elem",
        partBytes,
        "cap_get_min_dst_buf_size");
  }

  private static Capability erasureCoding(TaskKind kind, String task) {
    return new Capability(
        kind,
        "cap_task_" + task + "_is_supported",
        "cap_get_max_block_size",
        "cap_get_max_buf_list_len");
  }

  private final String shortName;
  private final String prefix;
  private final String purpose;

  @SuppressWarnings("ImmutableEnumChecker") // created by List.of
  private final List<Capability> capabilities;

  TaskLibrary(String shortName, String prefix, String purpose, Capability... capabilities) {
    this.shortName = shortName;
    this.prefix = prefix;
    this.purpose = purpose;
    this.capabilities = List.of(capabilities);
  }

  /**
   * Returns the library of a kind of tasks.
   *
   * @throws IllegalArgumentException for a kind without a library, such as those of comch
   */
  public static TaskLibrary of(TaskKind kind) {
    return Stream.of(values())
        .filter(library -> library.kinds().contains(kind))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException(kind + " is no kind of tasks between buffers"));
  }

  /** Returns the section of the configuration below {@code dpu}, such as {@code compress}. */
  public String shortName() {
    return shortName;
  }

  /** Returns the name of the library, such as {@code doca_compress}. */
  public String docaName() {
    return "doca_" + shortName.replace('-', '_');
  }

  /** Returns the prefix of the names of the library's functions, without the last underscore. */
  public String prefix() {
    return prefix;
  }

  /** Returns the purpose of the library's devices in words, for errors. */
  public String purpose() {
    return purpose;
  }

  /** Returns an object for tasks of the first kind; null if they use none. */
  public @Nullable Example example() {
    return switch (this) {
      case AES_GCM ->
          new Example(
              "key",
              "key_create",
              List.of(ByteBuffer.allocateDirect(32), 2),
              ByteBuffer.allocate(24).put(16, (byte) 12).put(17, (byte) 16).array());
      case ERASURE_CODING -> new Example("matrix", "matrix_create", List.of(1, 4L, 2L), null);
      default -> null;
    };
  }

  /** Returns the functions that report the capabilities of each kind. */
  public List<Capability> capabilities() {
    return capabilities;
  }

  /** Returns all kinds of tasks of the library. */
  public Set<TaskKind> kinds() {
    Set<TaskKind> kinds = EnumSet.noneOf(TaskKind.class);
    capabilities.forEach(capability -> kinds.add(capability.kind()));
    return kinds;
  }
}
