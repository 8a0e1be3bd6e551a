package io.dpuactors.gzip;

import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.gzip.GzipFormatException.Problem;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The frame around one block's raw deflate stream. All numbers are little endian.
 *
 * <pre>
 *   offset  size  field
 *        0     2  magic number          1f 8b
 *        2     1  method                08, deflate
 *        3     1  flags                 04, an extra field and nothing else
 *        4     4  modification time     0, so that equal input gives equal output
 *        8     1  extra flags           0
 *        9     1  operating system      ff, unknown
 *       10     2  extra field's length  8
 *       12     2  sub-field's id        'D' 'A'
 *       14     2  sub-field's length    4
 *       16     4  size of the whole member, from magic number to trailer
 *       20     n  payload: raw deflate (RFC 1951)
 *     20+n     4  CRC-32 of the content
 *     24+n     4  length of the content
 * </pre>
 *
 * <p>Writing does not allocate. A reader must not trust any number: {@link #payloadBytes} and
 * {@link #contentBytes} check all properties that need no decompression.
 */
public final class GzipMember {
  /** Bytes from the magic number to the payload. */
  public static final int HEADER_BYTES = 20;

  /** CRC-32 and length. */
  public static final int TRAILER_BYTES = 8;

  /** The shortest deflate stream: one final block of fixed codes without content. */
  public static final int MIN_PAYLOAD_BYTES = 2;

  /**
   * The largest expansion of a deflate stream: 258 bytes for one bit of length code and one bit of
   * distance code.
   */
  public static final int MAX_EXPANSION = 1032;

  /**
   * The payload of a member without content, {@code 03 00} in the order of the file. Devices refuse
   * an empty input, so this class provides the stream.
   */
  private static final short EMPTY_PAYLOAD = 0x0003;

  private static final int MAGIC = 0x8b1f;
  private static final int DEFLATE = 8;
  private static final int EXTRA_FIELD = 0x04;
  private static final int RESERVED_FLAGS = 0xe0;
  private static final int SUBFIELD_ID = 'D' | 'A' << 8;

  private GzipMember() {}

  /**
   * Writes a header at the position of {@code out}, which moves by {@link #HEADER_BYTES}. Sets the
   * order of {@code out}.
   */
  public static void putHeader(ByteBuffer out, int payloadBytes) {
    out.order(ByteOrder.LITTLE_ENDIAN)
        .putShort((short) MAGIC)
        .put((byte) DEFLATE)
        .put((byte) EXTRA_FIELD)
        .putInt(0)
        .put((byte) 0)
        .put((byte) 0xff)
        .putShort((short) 8)
        .putShort((short) SUBFIELD_ID)
        .putShort((short) 4)
        .putInt(HEADER_BYTES + payloadBytes + TRAILER_BYTES);
  }

  /**
   * Writes a trailer at the position of {@code out}, which moves by {@link #TRAILER_BYTES}. Sets
   * the order of {@code out}.
   */
  public static void putTrailer(ByteBuffer out, int crc32, int contentBytes) {
    out.order(ByteOrder.LITTLE_ENDIAN).putInt(crc32).putInt(contentBytes);
  }

  /** Writes the complete member of an empty file. */
  public static void putEmpty(ByteBuffer out) {
    putHeader(out, MIN_PAYLOAD_BYTES);
    out.putShort(EMPTY_PAYLOAD);
    putTrailer(out, 0, 0);
  }

  /**
   * Returns whether a payload is the one that {@link #putEmpty} writes. Such a payload needs no
   * device.
   */
  public static boolean isEmptyPayload(ByteBuffer payload) {
    return payload.remaining() == MIN_PAYLOAD_BYTES
        && payload.get(payload.position()) == (byte) EMPTY_PAYLOAD
        && payload.get(payload.position() + 1) == (byte) (EMPTY_PAYLOAD >> 8);
  }

  /**
   * Returns the largest possible payload: the room that a destination needs. Deflate with fixed
   * codes needs at most nine bits per byte, plus block headers; encoders that store incompressible
   * data need less.
   *
   * @return at least {@code contentBytes}; a long, because the largest blocks exceed an int
   */
  public static long maxPayloadBytes(int contentBytes) {
    return (long) contentBytes + (contentBytes >> 3) + (contentBytes >> 6) + 64;
  }

  /**
   * Returns the largest content whose {@link #maxPayloadBytes} fits into this number of bytes, or
   * 0.
   */
  public static int maxContentBytes(long payloadBytes) {
    long low = 0;
    long high = Math.min(payloadBytes, Integer.MAX_VALUE);
    while (low < high) {
      long middle = (low + high + 1) >>> 1;
      if (maxPayloadBytes((int) middle) <= payloadBytes) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return (int) low;
  }

  /**
   * Reads a header at the position of {@code in}, which moves by {@link #HEADER_BYTES}.
   *
   * @param in at least {@link #HEADER_BYTES} remaining; this method sets its order
   * @param offset of the member in its file, for messages
   * @return the size of the following payload, at least {@link #MIN_PAYLOAD_BYTES}
   * @throws GzipFormatException if the bytes are no such header
   */
  public static long payloadBytes(ByteBuffer in, long offset) throws GzipFormatException {
    in.order(ByteOrder.LITTLE_ENDIAN);
    int start = in.position();
    if (Short.toUnsignedInt(in.getShort(start)) != MAGIC) {
      throw offset == 0 && EncryptedHeader.startsAt(in) ? encrypted() : notGzip(offset);
    }
    if (in.get(start + 2) != DEFLATE) {
      throw new GzipFormatException(
          Problem.UNKNOWN_METHOD,
          "member at offset %d uses compression method %d, which is not deflate"
              .formatted(offset, Byte.toUnsignedInt(in.get(start + 2))));
    }
    int flags = Byte.toUnsignedInt(in.get(start + 3));
    if ((flags & RESERVED_FLAGS) != 0) {
      throw new GzipFormatException(
          Problem.RESERVED_FLAGS,
          "member at offset %d has reserved flags set (0x%02x): damaged, or from a format of the future"
              .formatted(offset, flags));
    }
    boolean ours =
        flags == EXTRA_FIELD
            && in.getShort(start + 10) == 8
            && in.getShort(start + 12) == SUBFIELD_ID
            && in.getShort(start + 14) == 4;
    if (!ours) {
      throw new GzipFormatException(
          Problem.NO_MEMBER_SIZE,
          "gzip member at offset %d does not say its size (sub-field DA is absent), so it was not written by dpu compress: use gunzip"
              .formatted(offset));
    }
    long memberBytes = Integer.toUnsignedLong(in.getInt(start + 16));
    long payload = memberBytes - HEADER_BYTES - TRAILER_BYTES;
    if (payload < MIN_PAYLOAD_BYTES) {
      throw new GzipFormatException(
          Problem.WRONG_SIZE,
          "member at offset %d says that it is %d bytes long, which is less than a member can be"
              .formatted(offset, memberBytes));
    }
    in.position(start + HEADER_BYTES);
    return payload;
  }

  /**
   * Reads the length of the content from a trailer that starts at an index of {@code in}, whose
   * order is set.
   *
   * @param payloadBytes size of the payload, as {@link #payloadBytes} returned it
   * @param offset of the member in its file, for messages
   * @throws GzipFormatException if a payload of that size cannot expand to this length
   */
  public static long contentBytes(ByteBuffer in, int index, long payloadBytes, long offset)
      throws GzipFormatException {
    long content = Integer.toUnsignedLong(in.order(ByteOrder.LITTLE_ENDIAN).getInt(index + 4));
    if (content > payloadBytes * MAX_EXPANSION) {
      throw new GzipFormatException(
          Problem.WRONG_SIZE,
          "member at offset %d says that %d bytes hold %d: deflate cannot do that"
              .formatted(offset, payloadBytes, content));
    }
    return content;
  }

  /** Reads the CRC-32 from a trailer that starts at an index of {@code in}, whose order is set. */
  public static int crc32(ByteBuffer in, int index) {
    return in.order(ByteOrder.LITTLE_ENDIAN).getInt(index);
  }

  /**
   * Returns whether the available bytes from index 0, at least one, are a prefix of gzip's magic
   * number.
   */
  static boolean beginsLikeMagic(ByteBuffer in, int available) {
    return in.get(0) == (byte) MAGIC && (available < 2 || in.get(1) == (byte) (MAGIC >> 8));
  }

  private static GzipFormatException encrypted() {
    return new GzipFormatException(
        Problem.NOT_GZIP, "not a gzip file but an encrypted one: name its key with --key-file");
  }

  static GzipFormatException notGzip(long offset) {
    return offset == 0
        ? new GzipFormatException(
            Problem.NOT_GZIP, "not a gzip file (it does not begin with 1f 8b)")
        : new GzipFormatException(
            Problem.TRAILING_BYTES,
            "the bytes after the last member, at offset %d, are not gzip".formatted(offset));
  }
}
