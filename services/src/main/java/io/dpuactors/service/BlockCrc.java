package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.wire.CompressMessage.End;
import java.util.zip.CRC32;

/**
 * Totals of a stream of blocks: number of blocks, content bytes and checksum. Both ends of the
 * compress service keep and compare them.
 */
final class BlockCrc {
  private final CRC32 crc = new CRC32();
  private long blocks;
  private long contentBytes;

  /** Returns the CRC-32 of a buffer's content. */
  static int of(Buffer buffer) {
    CRC32 crc = new CRC32();
    crc.update(buffer.bytes().clear().limit(buffer.length()));
    return (int) crc.getValue();
  }

  /** Adds the next block. */
  void add(int bytes, int crc32) {
    blocks++;
    contentBytes += bytes;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      crc.update(crc32 >>> shift);
    }
  }

  /** Returns the number of added blocks. */
  long blocks() {
    return blocks;
  }

  /** Returns the message that a client sends after the last block. */
  End end() {
    return new End(blocks, contentBytes, (int) crc.getValue());
  }
}
