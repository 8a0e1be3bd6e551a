package io.dpuactors.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Immediate data of every buffer of the compress service. The tag describes a block on its way to
 * the server, or a member's payload on its way back. A payload's tag contains all values of a gzip
 * member's header and trailer. All numbers are little endian.
 *
 * <pre>
 *   offset  size  field
 *        0     1  magic     0xdc
 *        1     1  version   1
 *        2     1  kind      1 block, 2 member
 *        3     1  reserved  0
 *        4     8  number    of the block, from 0
 *       12     4  content   size of the block's content
 *       16     4  CRC-32    of the block's content
 *       20     4  buffer    number of bytes in the buffer
 * </pre>
 *
 * @param kind content of the buffer
 * @param number of the block in its stream, from 0
 * @param contentBytes size of the block, at least 1
 * @param crc32 of the block
 * @param bufferBytes number of bytes in the buffer: the content's size for a block, the payload's
 *     for a member; at least 1
 */
public record CompressTag(Kind kind, long number, int contentBytes, int crc32, int bufferBytes) {
  /** Size on the wire; immediate data has at most 32 bytes. */
  public static final int BYTES = 24;

  private static final byte MAGIC = (byte) 0xdc;
  private static final byte VERSION = 1;
  private static final Kind[] KINDS = Kind.values();

  /** Content of a buffer. */
  public enum Kind {
    /** Content of the client's file. */
    BLOCK,
    /** The raw deflate stream of a block. */
    MEMBER
  }

  /** Checks the ranges. */
  public CompressTag {
    boolean sound =
        number >= 0
            && contentBytes >= 1
            && bufferBytes >= 1
            && (kind == Kind.MEMBER || contentBytes == bufferBytes);
    if (!sound) {
      throw new IllegalArgumentException(
          "%s %d of %d bytes in a buffer of %d".formatted(kind, number, contentBytes, bufferBytes));
    }
  }

  /** Returns the tag of a block. */
  public static CompressTag block(long number, int contentBytes, int crc32) {
    return new CompressTag(Kind.BLOCK, number, contentBytes, crc32, contentBytes);
  }

  /** Returns the tag of this block's member. */
  public CompressTag member(int payloadBytes) {
    return new CompressTag(Kind.MEMBER, number, contentBytes, crc32, payloadBytes);
  }

  /** Returns the bytes on the wire. */
  public byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .put(VERSION)
        .put((byte) (kind.ordinal() + 1))
        .put((byte) 0)
        .putLong(number)
        .putInt(contentBytes)
        .putInt(crc32)
        .putInt(bufferBytes)
        .array();
  }

  /**
   * Reads the tag of a received buffer.
   *
   * @param wanted expected content
   * @param arrivedBytes the buffer's length
   * @throws WireException if the bytes are no such tag, or do not match the buffer
   */
  public static CompressTag decode(byte[] immediate, Kind wanted, int arrivedBytes)
      throws WireException {
    ByteBuffer in = ByteBuffer.wrap(immediate).order(ByteOrder.LITTLE_ENDIAN);
    if (immediate.length != BYTES || in.get() != MAGIC || in.get() != VERSION) {
      throw new WireException(
          "a buffer of %d bytes has no tag of the compress service but %s"
              .formatted(arrivedBytes, Ascii.quote(immediate)));
    }
    int kind = in.get() - 1;
    boolean known = kind >= 0 && kind < KINDS.length && in.get() == 0;
    if (!known || KINDS[kind] != wanted) {
      throw new WireException(
          "a buffer is tagged as kind %d where a %s was expected".formatted(kind + 1, wanted));
    }
    try {
      CompressTag tag =
          new CompressTag(wanted, in.getLong(), in.getInt(), in.getInt(), in.getInt());
      tag.checkArrived(arrivedBytes);
      return tag;
    } catch (IllegalArgumentException e) {
      throw new WireException("a buffer is tagged as " + e.getMessage());
    }
  }

  private void checkArrived(int arrivedBytes) throws WireException {
    if (bufferBytes != arrivedBytes) {
      throw new WireException(
          "%s %d arrived with %d bytes instead of %d"
              .formatted(kind, number, arrivedBytes, bufferBytes));
    }
  }
}
