package io.dpuactors.testing;

import io.dpuactors.bridge.TaskKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.zip.Deflater;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Inputs that tasks of each kind accept, with the object of the example of their library. */
public final class AnySource {
  /** bytes that an input needs at most beyond its plain content */
  public static final int OVERHEAD = 64;

  private static final int KEY_BYTES = 32;
  private static final int IV_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int STORED = 1 << 31;

  private AnySource() {}

  /**
   * Returns an input. Inputs with different numbers have different results.
   *
   * @param number below 128
   * @param bytes plain content of the input
   */
  public static byte[] of(TaskKind kind, int number, int bytes) {
    byte[] plain = new byte[bytes];
    plain[0] = (byte) number;
    return switch (kind) {
      case DECOMPRESS_DEFLATE -> deflated(plain);
      case DECOMPRESS_LZ4_BLOCK -> literals(plain);
      case DECOMPRESS_LZ4_STREAM -> stored(plain);
      case AES_GCM_DECRYPT -> encrypted(plain);
      default -> plain;
    };
  }

  private static byte[] deflated(byte[] plain) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(plain);
      deflater.finish();
      byte[] room = new byte[plain.length + OVERHEAD];
      return Arrays.copyOf(room, deflater.deflate(room));
    } finally {
      deflater.end();
    }
  }

  /** Returns an LZ4 block of one sequence of literals. */
  private static byte[] literals(byte[] plain) {
    ByteBuffer block = ByteBuffer.allocate(plain.length + OVERHEAD).put((byte) 0xf0);
    int rest = plain.length - 15;
    for (; rest >= 255; rest -= 255) {
      block.put((byte) 255);
    }
    block.put((byte) rest).put(plain);
    return Arrays.copyOf(block.array(), block.position());
  }

  /** Returns an LZ4 block that is not compressed, and the end of the stream. */
  private static byte[] stored(byte[] plain) {
    return ByteBuffer.allocate(plain.length + 2 * Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(STORED | plain.length)
        .put(plain)
        .putInt(0)
        .array();
  }

  private static byte[] encrypted(byte[] plain) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(new byte[KEY_BYTES], "AES"),
          new GCMParameterSpec(TAG_BITS, new byte[IV_BYTES]));
      return cipher.doFinal(plain);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
