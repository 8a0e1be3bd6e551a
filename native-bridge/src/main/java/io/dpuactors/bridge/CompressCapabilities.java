package io.dpuactors.bridge;

/**
 * Compression capabilities of a device.
 *
 * @param deflate compression to a raw deflate stream
 * @param inflate decompression of a raw deflate stream
 * @param lz4Block decompression of one raw LZ4 block
 * @param lz4Stream decompression of the blocks of an LZ4 frame
 * @param maxTasks largest number of tasks of one context, over all kinds; 0 without support
 */
public record CompressCapabilities(
    TaskLimits deflate,
    TaskLimits inflate,
    TaskLimits lz4Block,
    TaskLimits lz4Stream,
    int maxTasks) {

  /** A device without a compression engine. */
  public static final CompressCapabilities NONE =
      new CompressCapabilities(
          TaskLimits.NONE, TaskLimits.NONE, TaskLimits.NONE, TaskLimits.NONE, 0);

  /** Returns the limits of one kind; {@link TaskLimits#NONE} for a kind of another library. */
  public TaskLimits of(TaskKind kind) {
    return switch (kind) {
      case COMPRESS_DEFLATE -> deflate;
      case DECOMPRESS_DEFLATE -> inflate;
      case DECOMPRESS_LZ4_BLOCK -> lz4Block;
      case DECOMPRESS_LZ4_STREAM -> lz4Stream;
      case DMA_MEMCPY,
          COMCH_SERVER_SEND,
          COMCH_CLIENT_SEND,
          COMCH_CONSUMER_RECV,
          COMCH_PRODUCER_SEND ->
          TaskLimits.NONE;
    };
  }

  /** Returns whether any kind is supported. */
  public boolean any() {
    return deflate.supported()
        || inflate.supported()
        || lz4Block.supported()
        || lz4Stream.supported();
  }
}
