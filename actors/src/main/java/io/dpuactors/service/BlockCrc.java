package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.wire.CompressMessage.End;
import java.util.zip.CRC32;

/** The totals of a stream of blocks, as both ends of the compress service keep them. */
final class BlockCrc {
  private final CRC32 crc = new CRC32();
  private long blocks;
  private long contentBytes;

  /** CRC-32 of a buffer's content. */
  static int of(Buffer buffer) {
    CRC32 crc = new CRC32();
    crc.update(buffer.bytes().clear().limit(buffer.length()));
    return (int) crc.getValue();
  }

  /** The next block. */
  void add(int bytes, int crc32) {
    blocks++;
    contentBytes += bytes;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      crc.update(crc32 >>> shift);
    }
  }

  /** How many there were. */
  long blocks() {
    return blocks;
  }

  /** What a client says after the last one. */
  End end() {
    return new End(blocks, contentBytes, (int) crc.getValue());
  }
}
