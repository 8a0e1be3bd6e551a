package io.dpuactors.experiments.data;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;

/**
 * How a file of blocks begins: two unsigned 32-bit numbers, little-endian, before the blocks.
 *
 * @param blocks how many, at least 1
 * @param blockBytes size of each, at least 1
 */
public record BlockHeader(int blocks, int blockBytes) {
  /** What it takes in a file. */
  public static final int BYTES = 8;

  /** Checks. */
  public BlockHeader {
    if (blocks <= 0 || blockBytes <= 0) {
      throw new IllegalArgumentException(
          "%d blocks of %d bytes"
              .formatted(Integer.toUnsignedLong(blocks), Integer.toUnsignedLong(blockBytes)));
    }
  }

  /** Bytes of all blocks. */
  public long contentBytes() {
    return (long) blocks * blockBytes;
  }

  /** Bytes of the whole file. */
  public long fileBytes() {
    return BYTES + contentBytes();
  }

  ByteBuffer bytes() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(blocks)
        .putInt(blockBytes)
        .flip();
  }

  /**
   * Reads it where the channel is.
   *
   * @throws EOFException when the file is shorter
   * @throws IllegalArgumentException when it is no such header
   */
  public static BlockHeader read(ReadableByteChannel in) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (in.read(bytes) < 0) {
        throw new EOFException("no header");
      }
    }
    bytes.flip();
    return new BlockHeader(bytes.getInt(), bytes.getInt());
  }
}
