package io.dpuactors.experiments.data;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;

/**
 * The header of a file of blocks: two unsigned 32-bit numbers, little-endian.
 *
 * @param blocks number of blocks, at least 1
 * @param blockBytes size of each block, at least 1
 */
public record BlockHeader(int blocks, int blockBytes) {
  /** Bytes of the header. */
  public static final int BYTES = 8;

  /** Checks the ranges. */
  public BlockHeader {
    if (blocks <= 0 || blockBytes <= 0) {
      throw new IllegalArgumentException(
          "%d blocks of %d bytes"
              .formatted(Integer.toUnsignedLong(blocks), Integer.toUnsignedLong(blockBytes)));
    }
  }

  /** Returns the bytes of all blocks. */
  public long contentBytes() {
    return (long) blocks * blockBytes;
  }

  /** Returns the bytes of the whole file. */
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
   * Reads a header at the channel's position.
   *
   * @throws EOFException when the file is shorter
   * @throws IllegalArgumentException when the bytes are not a valid header
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
