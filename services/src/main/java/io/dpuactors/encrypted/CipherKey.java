package io.dpuactors.encrypted;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of 128 or 256 bits for any number of files. Each file has a separate file key, see {@link
 * FileCipher}. The text of this object contains none of its bytes. Immutable; thread: any.
 */
public final class CipherKey {
  private static final String MAC = "HmacSHA256";
  private static final int MAC_BYTES = 32;

  private final byte[] bytes;

  private CipherKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Copies a key.
   *
   * @throws IllegalArgumentException unless there are 16 or 32 bytes
   */
  public static CipherKey of(byte[] bytes) {
    if (bytes.length != 16 && bytes.length != 32) {
      throw new IllegalArgumentException("a key has 16 or 32 bytes, not " + bytes.length);
    }
    return new CipherKey(bytes.clone());
  }

  /**
   * Creates a key from the operating system's random numbers.
   *
   * @param bits 128 or 256
   * @throws IllegalArgumentException for another number
   */
  public static CipherKey random(int bits) {
    if (bits != 128 && bits != 256) {
      throw new IllegalArgumentException("a key has 128 or 256 bits, not " + bits);
    }
    byte[] bytes = new byte[bits / 8];
    new SecureRandom().nextBytes(bytes);
    return new CipherKey(bytes);
  }

  /** Returns the length of the key in bits: 128 or 256. */
  public int bits() {
    return bytes.length * 8;
  }

  /** Writes the bytes of the key. */
  public void writeTo(ByteBuffer out) {
    out.put(bytes);
  }

  /** Derives a key of the same length by HKDF-SHA-256. */
  byte[] derive(byte[] salt, byte[] info) {
    return hkdf(bytes, salt, info, bytes.length);
  }

  /**
   * Derives a key by HKDF with SHA-256 (RFC 5869).
   *
   * @param length at most 32: one block of output
   */
  static byte[] hkdf(byte[] key, byte[] salt, byte[] info, int length) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(salt, MAC));
      byte[] pseudoRandomKey = mac.doFinal(key);
      mac.init(new SecretKeySpec(pseudoRandomKey, MAC));
      Arrays.fill(pseudoRandomKey, (byte) 0);
      mac.update(info);
      byte[] output = mac.doFinal(new byte[] {1});
      byte[] derived = Arrays.copyOf(output, Math.min(length, MAC_BYTES));
      Arrays.fill(output, (byte) 0);
      return derived;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each JDK has HMAC-SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "key of " + bits() + " bits";
  }
}
