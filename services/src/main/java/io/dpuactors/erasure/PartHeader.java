package io.dpuactors.erasure;

import io.dpuactors.erasure.PartFormatException.Problem;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The header of a part.
 *
 * @param file random number that all parts of one file share
 * @param stripes the division of the file
 * @param index number of the part: data parts from 0, then parity parts
 * @param fileBytes size of the file
 */
public record PartHeader(UUID file, Stripes stripes, int index, long fileBytes) {
  /** Size of a header in bytes. */
  public static final int BYTES = 48;

  /** Size of the checksum behind each block in bytes. */
  public static final int CRC_BYTES = 4;

  /** Largest file: its parts have sizes that a 64-bit number can express. */
  static final long MAX_FILE_BYTES = 1L << 60;

  private static final byte[] MAGIC = {(byte) 0x89, 'D', 'P', 'U', 'E', 'C', '\r', '\n'};
  private static final int VERSION = 1;
  private static final int CRC_OFFSET = BYTES - CRC_BYTES;

  /** Checks the numbers; throws IllegalArgumentException. */
  public PartHeader {
    if (index < 0 || index >= stripes.parts()) {
      throw new IllegalArgumentException("part %d of %d parts".formatted(index, stripes.parts()));
    }
    if (fileBytes < 0 || fileBytes > MAX_FILE_BYTES) {
      throw new IllegalArgumentException("a file of %d bytes".formatted(fileBytes));
    }
  }

  /** Returns the header of another part of the same file. */
  public PartHeader withIndex(int other) {
    return new PartHeader(file, stripes, other, fileBytes);
  }

  /** Returns the offset of the block of a stripe in its part. */
  public long offset(long stripe) {
    return BYTES + stripe * (stripes.blockBytes() + CRC_BYTES);
  }

  /** Returns the size of the block of a stripe. */
  public int blockBytes(long stripe) {
    return stripes.blockBytes(stripes.contentBytes(fileBytes, stripe));
  }

  /** Returns the number of blocks in the part. */
  public long blocks() {
    return stripes.count(fileBytes);
  }

  /** Returns the size of the part in bytes. */
  public long partBytes() {
    long last = blocks() - 1;
    return last < 0 ? BYTES : offset(last) + blockBytes(last) + CRC_BYTES;
  }

  /** Writes the header at the buffer's position. */
  public void put(ByteBuffer into) {
    ByteBuffer header = into.slice(into.position(), BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.put(MAGIC);
    header.putShort((short) VERSION);
    header.putShort((short) stripes.data()).putShort((short) stripes.parity());
    header.putShort((short) index);
    header.putInt(stripes.blockBytes());
    header.putLong(fileBytes);
    putId(header, file);
    header.putInt(crc32c(header.slice(0, CRC_OFFSET)));
    into.position(into.position() + BYTES);
  }

  private static void putId(ByteBuffer into, UUID id) {
    into.order(ByteOrder.BIG_ENDIAN);
    into.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    into.order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads a header.
   *
   * @param from from its position to its limit, the first bytes of a file
   */
  public static PartHeader get(ByteBuffer from) throws PartFormatException {
    ByteBuffer header = from.slice().order(ByteOrder.LITTLE_ENDIAN);
    for (byte each : MAGIC) {
      if (!header.hasRemaining() || header.get() != each) {
        throw new PartFormatException(Problem.FOREIGN, "not a part of 'dpu ec encode'");
      }
    }
    if (header.remaining() < BYTES - MAGIC.length) {
      throw new PartFormatException(Problem.DAMAGED, "its header is truncated");
    }
    int version = header.getShort(MAGIC.length);
    if (header.getInt(CRC_OFFSET) != crc32c(header.slice(0, CRC_OFFSET))) {
      throw new PartFormatException(Problem.DAMAGED, "its header is damaged");
    }
    if (version != VERSION) {
      throw new PartFormatException(
          Problem.UNKNOWN_VERSION, "format version %d, known is %d".formatted(version, VERSION));
    }
    return parse(header.position(MAGIC.length + Short.BYTES));
  }

  private static PartHeader parse(ByteBuffer header) throws PartFormatException {
    int data = header.getShort();
    int parity = header.getShort();
    int index = header.getShort();
    int blockBytes = header.getInt();
    long fileBytes = header.getLong();
    header.order(ByteOrder.BIG_ENDIAN);
    UUID file = new UUID(header.getLong(), header.getLong());
    try {
      return new PartHeader(file, new Stripes(data, parity, blockBytes), index, fileBytes);
    } catch (IllegalArgumentException e) {
      throw new PartFormatException(Problem.DAMAGED, "impossible header: " + e.getMessage());
    }
  }

  /**
   * Computes the checksum of a block. The checksum covers the block's place, so that a block in
   * another place or of another file is damaged.
   *
   * @param block from position to limit; stays unchanged
   */
  public int blockCrc32c(long stripe, ByteBuffer block) {
    CRC32C crc = blockCrc32c(stripe);
    crc.update(block.duplicate());
    return (int) crc.getValue();
  }

  /** Begins the checksum of the block of a stripe. The bytes of the block must follow. */
  CRC32C blockCrc32c(long stripe) {
    ByteBuffer place = ByteBuffer.allocate(26).order(ByteOrder.LITTLE_ENDIAN);
    putId(place, file);
    place.putShort((short) index).putLong(stripe);
    CRC32C crc = new CRC32C();
    crc.update(place.flip());
    return crc;
  }

  private static int crc32c(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }
}
