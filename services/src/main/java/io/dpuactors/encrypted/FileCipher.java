package io.dpuactors.encrypted;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The file key of one encrypted file, and the nonces of its blocks. The text of this object
 * contains none of the key's bytes. Not thread-safe.
 */
public final class FileCipher implements AutoCloseable {
  /** Size of a block's authentication tag. */
  public static final int TAG_BYTES = 16;

  /** Largest number of blocks of a file: the counter of a nonce has 32 bits. */
  public static final long MAX_BLOCKS = 1L << 32;

  private static final byte[] INFO =
      "dpu-actors encrypted file 1".getBytes(StandardCharsets.US_ASCII);
  private static final int NONCE_BYTES = 12;
  private static final int COUNTER_OFFSET = 7;
  private static final int FLAG_OFFSET = 11;

  private final byte[] header;
  private final byte[] key;

  private FileCipher(byte[] header, byte[] key) {
    this.header = header;
    this.key = key;
  }

  /** Derives the file key from a key and the salt of a header. */
  public static FileCipher of(CipherKey key, EncryptedHeader header) {
    return new FileCipher(header.bytes(), key.derive(header.salt(), INFO));
  }

  /**
   * Returns the nonce of a block: 7 zero bytes, the number, and 1 for the last block, else 0. All
   * nonces of a file differ.
   *
   * @param block number of the block, from 0
   */
  public static byte[] nonce(long block, boolean last) {
    if (block < 0 || block >= MAX_BLOCKS) {
      throw new IllegalArgumentException("block " + block + " has no nonce");
    }
    return ByteBuffer.allocate(NONCE_BYTES)
        .putInt(COUNTER_OFFSET, (int) block)
        .put(FLAG_OFFSET, (byte) (last ? 1 : 0))
        .array();
  }

  /** Returns the bytes of the file's header: the additional data of each block. */
  public byte[] header() {
    return header;
  }

  /** Returns a copy of the file key in a direct buffer. The caller overwrites it after use. */
  public ByteBuffer key() {
    return ByteBuffer.allocateDirect(key.length).put(key).flip();
  }

  /**
   * Authenticates a block on the CPU, to explain a failure of the device. The decrypted bytes are
   * dropped.
   *
   * @param block header, cipher text and tag, between position and limit
   * @param number of the block, from 0
   */
  public boolean authenticates(ByteBuffer block, long number, boolean last) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.DECRYPT_MODE,
          new SecretKeySpec(key, "AES"),
          new GCMParameterSpec(8 * TAG_BYTES, nonce(number, last)));
      ByteBuffer in = block.duplicate();
      cipher.updateAAD(in.slice(in.position(), EncryptedHeader.BYTES));
      in.position(in.position() + EncryptedHeader.BYTES);
      ByteBuffer dropped = ByteBuffer.allocate(in.remaining());
      cipher.doFinal(in, dropped);
      Arrays.fill(dropped.array(), (byte) 0);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each JDK has AES-GCM", e);
    }
  }

  /** Overwrites the file key. Idempotent. */
  @Override
  public void close() {
    Arrays.fill(key, (byte) 0);
  }

  @Override
  public String toString() {
    return "file key of " + key.length * 8 + " bits";
  }
}
