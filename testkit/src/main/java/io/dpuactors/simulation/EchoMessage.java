package io.dpuactors.simulation;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** The bytes of a numbered message: the number, a content, and the checksum of both. */
final class EchoMessage {
  /** Bytes of the shortest message. */
  static final int MIN_BYTES = 2 * Integer.BYTES;

  private EchoMessage() {}

  /** Returns a message of this length. */
  static byte[] of(int number, int length) {
    byte[] bytes = new byte[length];
    ByteBuffer view = ByteBuffer.wrap(bytes).putInt(number);
    while (view.remaining() > Integer.BYTES) {
      view.put((byte) (number + view.position()));
    }
    view.putInt(checksum(bytes));
    return bytes;
  }

  /** Returns whether the bytes are those of the sender. */
  static boolean isIntact(byte[] bytes) {
    return bytes.length >= MIN_BYTES
        && ByteBuffer.wrap(bytes).getInt(bytes.length - Integer.BYTES) == checksum(bytes);
  }

  static int number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt();
  }

  private static int checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, bytes.length - Integer.BYTES);
    return (int) crc.getValue();
  }
}
