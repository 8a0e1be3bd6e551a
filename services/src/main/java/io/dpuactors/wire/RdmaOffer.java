package io.dpuactors.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The first message of the RDMA service to a client: memory for the tasks of its connection. All
 * numbers are big-endian.
 *
 * <pre>
 *   offset  size  field
 *        0     4  "dpuR"
 *        4     8  begin of the client's part of the memory
 *       12     8  size of the part, at least 8
 *       20     4  longest message that the server receives
 *       24     n  description of the memory, at least 2 bytes
 * </pre>
 *
 * @param begin in bytes from the beginning of the memory
 * @param bytes size of the part
 * @param messageBytes longest message that the server receives
 * @param memory description of the memory; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // no code compares offers
public record RdmaOffer(long begin, long bytes, int messageBytes, byte[] memory) {
  /** A client may send this number of messages before the server has handled the first. */
  public static final int UNHANDLED = 512;

  /** After this number of messages the server sends an empty message. */
  public static final int HANDLED = 128;

  private static final int MAGIC = 0x64707552;
  private static final int HEADER_BYTES = 24;

  /** Returns the message. */
  public byte[] encode() {
    return ByteBuffer.allocate(HEADER_BYTES + memory.length)
        .putInt(MAGIC)
        .putLong(begin)
        .putLong(bytes)
        .putInt(messageBytes)
        .put(memory)
        .array();
  }

  /**
   * Reads the message of a server.
   *
   * @throws WireException if it is no offer, or a number is out of range
   */
  public static RdmaOffer decode(byte[] message) throws WireException {
    ByteBuffer in = ByteBuffer.wrap(message);
    if (message.length <= HEADER_BYTES + 1 || in.getInt() != MAGIC) {
      throw new WireException("the server sent no offer of memory");
    }
    long begin = in.getLong();
    long bytes = in.getLong();
    int messageBytes = in.getInt();
    if (begin < 0 || bytes < Long.BYTES || begin > Long.MAX_VALUE - bytes || messageBytes < 1) {
      throw new WireException("an offer of %d bytes at %d".formatted(bytes, begin));
    }
    byte[] description = Arrays.copyOfRange(message, HEADER_BYTES, message.length);
    return new RdmaOffer(begin, bytes, messageBytes, description);
  }
}
