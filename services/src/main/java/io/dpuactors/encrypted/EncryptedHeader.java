package io.dpuactors.encrypted;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * The first bytes of an encrypted file. All numbers are big endian. Immutable.
 *
 * <pre>
 *   offset  size
 *        0     4  44 50 45 1a    magic number
 *        4     1  01             version
 *        5     1  L              {@link Layout}
 *        6     2  00 00          reserved
 *        8     4  B              block size
 *       12    32  salt
 * </pre>
 */
public final class EncryptedHeader {
  /** Size of the header. */
  public static final int BYTES = 44;

  /** The smallest block size. */
  public static final int MIN_BLOCK_BYTES = 64 << 10;

  /** The largest block size. */
  public static final int MAX_BLOCK_BYTES = 4 << 20;

  private static final int MAGIC = 0x4450451a;
  private static final byte VERSION = 1;
  private static final int SALT_BYTES = 32;
  private static final int SALT_OFFSET = 12;

  /** Content and borders of the blocks. */
  public enum Layout {
    /** Each block has the block size, but the last may be shorter. */
    EQUAL,
    /**
     * Each block is one gzip member, with its size in front. The member has at most the block size
     * after inflation.
     */
    MEMBERS
  }

  private final Layout layout;
  private final int blockBytes;
  private final byte[] salt;

  private EncryptedHeader(Layout layout, int blockBytes, byte[] salt) {
    this.layout = layout;
    this.blockBytes = blockBytes;
    this.salt = salt;
  }

  /**
   * Creates the header of a new file, with a random salt.
   *
   * @throws IllegalArgumentException if the block size is out of range
   */
  public static EncryptedHeader create(Layout layout, int blockBytes) {
    if (!isBlockSize(blockBytes)) {
      throw new IllegalArgumentException(
          "a block size of %d bytes; it must be from 64 KiB to 4 MiB".formatted(blockBytes));
    }
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return new EncryptedHeader(layout, blockBytes, salt);
  }

  /** Returns whether a block may have this size. */
  public static boolean isBlockSize(long bytes) {
    return bytes >= MIN_BLOCK_BYTES && bytes <= MAX_BLOCK_BYTES;
  }

  /** Returns whether the remaining bytes begin with the magic number. */
  public static boolean startsAt(ByteBuffer in) {
    return in.remaining() >= Integer.BYTES && in.duplicate().getInt(in.position()) == MAGIC;
  }

  /**
   * Reads a header.
   *
   * @param in the first bytes of a file, at most {@link #BYTES}
   */
  public static EncryptedHeader parse(ByteBuffer in) throws EncryptedFormatException {
    if (!startsAt(in)) {
      throw new EncryptedFormatException(
          "is not encrypted: it does not begin with the magic number of dpu encrypt");
    }
    if (in.remaining() < BYTES) {
      throw new EncryptedFormatException(
          "truncated: its header has %d bytes, the file ends after %d"
              .formatted(BYTES, in.remaining()));
    }
    ByteBuffer header = in.slice(in.position(), BYTES);
    int version = header.get(4);
    int layout = header.get(5);
    int blockBytes = header.getInt(8);
    if (version != VERSION) {
      throw new EncryptedFormatException(
          "has version %d of the format, this program reads version %d"
              .formatted(version, VERSION));
    }
    if (layout < 0
        || layout >= Layout.values().length
        || header.getShort(6) != 0
        || !isBlockSize(blockBytes)) {
      throw new EncryptedFormatException("damaged: its header has impossible values");
    }
    byte[] salt = new byte[SALT_BYTES];
    header.get(SALT_OFFSET, salt);
    return new EncryptedHeader(Layout.values()[layout], blockBytes, salt);
  }

  /** Returns the bytes of the header. */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .putInt(MAGIC)
        .put(VERSION)
        .put((byte) layout.ordinal())
        .putShort((short) 0)
        .putInt(blockBytes)
        .put(salt)
        .array();
  }

  /** Returns content and borders of the blocks. */
  public Layout layout() {
    return layout;
  }

  /** Returns the block size, from 64 KiB to 4 MiB. */
  public int blockBytes() {
    return blockBytes;
  }

  byte[] salt() {
    return salt;
  }
}
