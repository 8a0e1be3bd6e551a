package io.dpuactors.protocol.wire;

import io.dpuactors.protocol.wire.FrameException.Problem;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * Header in front of each piece of a payload. All numbers are little endian.
 *
 * <pre>
 *   offset  size  field
 *        0     2  magic     'D' 'F'
 *        2     1  version   1
 *        3     1  reserved  0
 *        4     4  payload   number of the payload on its connection, from 0, modulo 2^32
 *        8     4  total     size of the whole payload
 *       12     4  offset    of the piece in the payload
 *       16     4  CRC-32    of the 16 bytes before, and of the piece
 *       20     n  the piece
 * </pre>
 *
 * @param number of the payload, modulo 2^32
 * @param total size of the payload in bytes
 * @param offset of the piece in the payload
 * @param piece number of bytes after the header
 */
record FrameHeader(int number, int total, int offset, int piece) {
  static final int BYTES = 20;

  private static final short MAGIC = 'D' | 'F' << 8;
  private static final byte VERSION = 1;
  private static final int CHECKED_BYTES = 16;

  /** Returns the complete message: this header and its piece of the payload. */
  byte[] message(byte[] payload) {
    return message(payload, offset);
  }

  byte[] message(byte[] payload, int from) {
    byte[] message = new byte[BYTES + piece];
    System.arraycopy(payload, from, message, BYTES, piece);
    ByteBuffer out = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    out.putShort(MAGIC).put(VERSION).put((byte) 0).putInt(number).putInt(total).putInt(offset);
    out.putInt(crc32(message));
    return message;
  }

  /** Reads the header of a message, and checks everything that needs no other frame. */
  static FrameHeader of(byte[] message) throws FrameException {
    if (message.length < BYTES) {
      throw new FrameException(
          Problem.NOT_A_FRAME,
          "a message of %d bytes is too short for a frame: does the peer use framing?"
              .formatted(message.length));
    }
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getShort() != MAGIC) {
      throw new FrameException(
          Problem.NOT_A_FRAME,
          "a message of %d bytes is not a frame: does the peer use framing?"
              .formatted(message.length));
    }
    byte version = in.get();
    if (version != VERSION) {
      throw new FrameException(
          Problem.UNKNOWN_VERSION,
          "a frame of version %d; this side has version %d"
              .formatted(Byte.toUnsignedInt(version), VERSION));
    }
    byte reserved = in.get();
    FrameHeader header =
        new FrameHeader(in.getInt(), in.getInt(), in.getInt(), message.length - BYTES);
    if (in.getInt() != crc32(message)) {
      throw new FrameException(Problem.DAMAGED, "%s is damaged".formatted(header));
    }
    header.check(reserved);
    return header;
  }

  private void check(byte reserved) throws FrameException {
    boolean sound =
        reserved == 0
            && total >= 0
            && offset >= 0
            && (long) offset + piece <= total
            && (piece > 0 || total == 0);
    if (!sound) {
      throw new FrameException(Problem.CONTRADICTION, "%s contradicts itself".formatted(this));
    }
  }

  private static int crc32(byte[] message) {
    CRC32 crc = new CRC32();
    crc.update(message, 0, CHECKED_BYTES);
    crc.update(message, BYTES, message.length - BYTES);
    return (int) crc.getValue();
  }

  @Override
  public String toString() {
    return "a frame with bytes %d to %d of %d of payload %s"
        .formatted(
            Integer.toUnsignedLong(offset),
            Integer.toUnsignedLong(offset) + piece,
            Integer.toUnsignedLong(total),
            Integer.toUnsignedString(number));
  }
}
