package io.dpuactors.fleet;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;

/**
 * Reads the lengths of the frames on a connection, because Pekko has no limit for them. A
 * connection of Artery begins with four bytes of magic and one of the stream; each frame has its
 * length in four bytes, little endian. Thread: one at a time.
 */
final class FrameGuard {
  private static final int HEADER_BYTES = 5;
  private static final int LENGTH_BYTES = 4;

  private final int maxBytes;
  private long toSkip = HEADER_BYTES;
  private int length;
  private int lengthBytes;

  FrameGuard(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Reads the next bytes of the connection; throws if a frame is longer than the limit. */
  void read(ByteBuffer bytes) throws SSLException {
    while (bytes.hasRemaining()) {
      int skipped = (int) Math.min(toSkip, bytes.remaining());
      bytes.position(bytes.position() + skipped);
      toSkip -= skipped;
      if (bytes.hasRemaining()) {
        readLength(bytes.get());
      }
    }
  }

  private void readLength(byte next) throws SSLException {
    length |= (next & 0xff) << (8 * lengthBytes);
    lengthBytes++;
    if (lengthBytes == LENGTH_BYTES) {
      if (Integer.compareUnsigned(length, maxBytes) > 0) {
        throw new SSLException(
            "frame of %s bytes; the limit is %d"
                .formatted(Integer.toUnsignedString(length), maxBytes));
      }
      toSkip = length;
      length = 0;
      lengthBytes = 0;
    }
  }
}
