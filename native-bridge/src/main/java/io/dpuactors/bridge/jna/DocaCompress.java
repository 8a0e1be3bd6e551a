package io.dpuactors.bridge.jna;

import java.util.Set;

/**
 * libdoca_compress, directly mapped: deflate both ways, decompression of LZ4 blocks and streams.
 * Names and arguments are those of DOCA; the package describes how their types map to Java.
 *
 * <p>A function that the loaded library lacks returns NOT_SUPPORTED. A library must have the {@link
 * #REQUIRED} functions.
 *
 * <p>Usable once {@link NativeLibraries} has bound it. Thread: the engine's of the object; any for
 * functions that take a device's description.
 */
public final class DocaCompress {
  /** Functions without which the library is refused. */
  static final Set<String> REQUIRED =
      Set.of("doca_compress_as_ctx", "doca_compress_create", "doca_compress_destroy");

  private DocaCompress() {}

  // ---- Compression ----

  /** Returns the context of a compression object. */
  public static native long doca_compress_as_ctx(long compress);

  /** Returns the maximum number of tasks of one context, over all kinds. */
  public static native int doca_compress_cap_get_max_num_tasks(long compress, int[] maxNumTasks);

  /** Deflate compression: returns the maximum number of elements of a list; 1 means no lists. */
  public static native int doca_compress_cap_task_compress_deflate_get_max_buf_list_len(
      long devinfo, int[] maxBufListLen);

  /** Deflate compression: returns the maximum size of source and destination in bytes. */
  public static native int doca_compress_cap_task_compress_deflate_get_max_buf_size(
      long devinfo, long[] maxBufferSize);

  /** Deflate compression: returns SUCCESS when the device supports it, else NOT_SUPPORTED. */
  public static native int doca_compress_cap_task_compress_deflate_is_supported(long devinfo);

  /** Deflate decompression: returns the maximum number of elements of a list; 1 means no lists. */
  public static native int doca_compress_cap_task_decompress_deflate_get_max_buf_list_len(
      long devinfo, int[] maxBufListLen);

  /** Deflate decompression: returns the maximum size of source and destination in bytes. */
  public static native int doca_compress_cap_task_decompress_deflate_get_max_buf_size(
      long devinfo, long[] maxBufferSize);

  /** Deflate decompression: returns SUCCESS when the device supports it, else NOT_SUPPORTED. */
  public static native int doca_compress_cap_task_decompress_deflate_is_supported(long devinfo);

  /**
   * LZ4 block decompression: returns the maximum number of elements of a list; 1 means no lists.
   */
  public static native int doca_compress_cap_task_decompress_lz4_block_get_max_buf_list_len(
      long devinfo, int[] maxBufListLen);

  /** LZ4 block decompression: returns the maximum size of source and destination in bytes. */
  public static native int doca_compress_cap_task_decompress_lz4_block_get_max_buf_size(
      long devinfo, long[] maxBufferSize);

  /** LZ4 block decompression: returns SUCCESS when the device supports it, else NOT_SUPPORTED. */
  public static native int doca_compress_cap_task_decompress_lz4_block_is_supported(long devinfo);

  /**
   * LZ4 stream decompression: returns the maximum number of elements of a list; 1 means no lists.
   */
  public static native int doca_compress_cap_task_decompress_lz4_stream_get_max_buf_list_len(
      long devinfo, int[] maxBufListLen);

  /** LZ4 stream decompression: returns the maximum size of source and destination in bytes. */
  public static native int doca_compress_cap_task_decompress_lz4_stream_get_max_buf_size(
      long devinfo, long[] maxBufferSize);

  /** LZ4 stream decompression: returns SUCCESS when the device supports it, else NOT_SUPPORTED. */
  public static native int doca_compress_cap_task_decompress_lz4_stream_is_supported(long devinfo);

  /** Creates an idle compression context on an opened device. */
  public static native int doca_compress_create(long dev, long[] compress);

  /** Destroys an idle context; IN_USE when it is not idle or tasks are in use. */
  public static native int doca_compress_destroy(long compress);

  /** Deflate compression: allocates a task; NO_MEMORY when all are in use. */
  public static native int doca_compress_task_compress_deflate_alloc_init(
      long compress, long srcBuff, long dstBuff, long userData, long[] task);

  /** Deflate compression: returns the task as its general type. */
  public static native long doca_compress_task_compress_deflate_as_task(long task);

  /** Deflate compression: returns the Adler-32 of the uncompressed bytes; after success. */
  public static native int doca_compress_task_compress_deflate_get_adler_cs(long task);

  /** Deflate compression: returns the CRC-32 of the uncompressed bytes; after success. */
  public static native int doca_compress_task_compress_deflate_get_crc_cs(long task);

  /** Deflate compression: returns the destination. */
  public static native long doca_compress_task_compress_deflate_get_dst(long task);

  /** Deflate compression: returns the source. */
  public static native long doca_compress_task_compress_deflate_get_src(long task);

  /** Deflate compression: sets the C callbacks of success and failure, and the number of tasks. */
  public static native int doca_compress_task_compress_deflate_set_conf(
      long compress, long taskCompletionCb, long taskErrorCb, int numTasks);

  /** Deflate compression: sets the destination. */
  public static native void doca_compress_task_compress_deflate_set_dst(long task, long dstBuff);

  /** Deflate compression: sets the source. */
  public static native void doca_compress_task_compress_deflate_set_src(long task, long srcBuff);

  /** Deflate decompression: allocates a task; NO_MEMORY when all are in use. */
  public static native int doca_compress_task_decompress_deflate_alloc_init(
      long compress, long srcBuff, long dstBuff, long userData, long[] task);

  /** Deflate decompression: returns the task as its general type. */
  public static native long doca_compress_task_decompress_deflate_as_task(long task);

  /** Deflate decompression: returns the Adler-32 of the uncompressed bytes; after success. */
  public static native int doca_compress_task_decompress_deflate_get_adler_cs(long task);

  /** Deflate decompression: returns the CRC-32 of the uncompressed bytes; after success. */
  public static native int doca_compress_task_decompress_deflate_get_crc_cs(long task);

  /** Deflate decompression: returns the destination. */
  public static native long doca_compress_task_decompress_deflate_get_dst(long task);

  /** Deflate decompression: returns the source. */
  public static native long doca_compress_task_decompress_deflate_get_src(long task);

  /**
   * Deflate decompression: sets the C callbacks of success and failure, and the number of tasks.
   */
  public static native int doca_compress_task_decompress_deflate_set_conf(
      long compress, long taskCompletionCb, long taskErrorCb, int numTasks);

  /** Deflate decompression: sets the destination. */
  public static native void doca_compress_task_decompress_deflate_set_dst(long task, long dstBuff);

  /** Deflate decompression: sets the source. */
  public static native void doca_compress_task_decompress_deflate_set_src(long task, long srcBuff);

  /** LZ4 block decompression: allocates a task; NO_MEMORY when all are in use. */
  public static native int doca_compress_task_decompress_lz4_block_alloc_init(
      long compress, long srcBuff, long dstBuff, long userData, long[] task);

  /** LZ4 block decompression: returns the task as its general type. */
  public static native long doca_compress_task_decompress_lz4_block_as_task(long task);

  /** LZ4 block decompression: returns the CRC-32 of the uncompressed bytes; after success. */
  public static native int doca_compress_task_decompress_lz4_block_get_crc_cs(long task);

  /** LZ4 block decompression: returns the destination. */
  public static native long doca_compress_task_decompress_lz4_block_get_dst(long task);

  /** LZ4 block decompression: returns the source. */
  public static native long doca_compress_task_decompress_lz4_block_get_src(long task);

  /**
   * LZ4 block decompression: returns the xxHash-32 of the uncompressed bytes, byte-swapped; after
   * success.
   */
  public static native int doca_compress_task_decompress_lz4_block_get_xxh_cs(long task);

  /**
   * LZ4 block decompression: sets the C callbacks of success and failure, and the number of tasks.
   */
  public static native int doca_compress_task_decompress_lz4_block_set_conf(
      long compress, long taskCompletionCb, long taskErrorCb, int numTasks);

  /** LZ4 block decompression: sets the destination. */
  public static native void doca_compress_task_decompress_lz4_block_set_dst(
      long task, long dstBuff);

  /** LZ4 block decompression: sets the source. */
  public static native void doca_compress_task_decompress_lz4_block_set_src(
      long task, long srcBuff);

  /** LZ4 stream decompression: allocates a task; NO_MEMORY when all are in use. */
  public static native int doca_compress_task_decompress_lz4_stream_alloc_init(
      long compress,
      byte hasBlockChecksum,
      byte areBlocksIndependent,
      long srcBuff,
      long dstBuff,
      long userData,
      long[] task);

  /** LZ4 stream decompression: returns the task as its general type. */
  public static native long doca_compress_task_decompress_lz4_stream_as_task(long task);

  /** LZ4 stream decompression: returns whether no block refers to another, 1 or 0. */
  public static native byte doca_compress_task_decompress_lz4_stream_get_are_blocks_independent(
      long task);

  /** LZ4 stream decompression: returns the CRC-32 of the uncompressed bytes; after success. */
  public static native int doca_compress_task_decompress_lz4_stream_get_crc_cs(long task);

  /** LZ4 stream decompression: returns the destination. */
  public static native long doca_compress_task_decompress_lz4_stream_get_dst(long task);

  /** LZ4 stream decompression: returns whether each block has a checksum, 1 or 0. */
  public static native byte doca_compress_task_decompress_lz4_stream_get_has_block_checksum(
      long task);

  /** LZ4 stream decompression: returns the source. */
  public static native long doca_compress_task_decompress_lz4_stream_get_src(long task);

  /**
   * LZ4 stream decompression: returns the xxHash-32 of the uncompressed bytes, byte-swapped; after
   * success.
   */
  public static native int doca_compress_task_decompress_lz4_stream_get_xxh_cs(long task);

  /** LZ4 stream decompression: sets whether no block refers to another. */
  public static native void doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(
      long task, byte areBlocksIndependent);

  /**
   * LZ4 stream decompression: sets the C callbacks of success and failure, and the number of tasks.
   */
  public static native int doca_compress_task_decompress_lz4_stream_set_conf(
      long compress, long taskCompletionCb, long taskErrorCb, int numTasks);

  /** LZ4 stream decompression: sets the destination. */
  public static native void doca_compress_task_decompress_lz4_stream_set_dst(
      long task, long dstBuff);

  /** LZ4 stream decompression: sets whether each block has a checksum. */
  public static native void doca_compress_task_decompress_lz4_stream_set_has_block_checksum(
      long task, byte hasBlockChecksum);

  /** LZ4 stream decompression: sets the source. */
  public static native void doca_compress_task_decompress_lz4_stream_set_src(
      long task, long srcBuff);
}
