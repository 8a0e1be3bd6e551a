package io.dpuactors.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypted files by the JDK's cryptography, from {@code docs/encrypted-format.md} alone. */
final class JdkCipher {
  static final int HEADER = 44;
  static final int TAG = 16;

  private JdkCipher() {}

  static byte[] fileKey(byte[] key, byte[] salt) throws GeneralSecurityException {
    byte[] prk = hmac(salt, key);
    byte[] info = "dpu-actors encrypted file 1\u0001".getBytes(StandardCharsets.US_ASCII);
    return Arrays.copyOf(hmac(prk, info), key.length);
  }

  private static byte[] hmac(byte[] key, byte[] data) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(data);
  }

  private static byte[] block(
      int mode, byte[] fileKey, byte[] header, int number, boolean last, byte[] in)
      throws GeneralSecurityException {
    byte[] nonce = new byte[12];
    ByteBuffer.wrap(nonce).putInt(7, number).put(11, (byte) (last ? 1 : 0));
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(fileKey, "AES"), new GCMParameterSpec(128, nonce));
    cipher.updateAAD(header);
    return cipher.doFinal(in);
  }

  /**
   * Writes a file.
   *
   * @param header its 44 bytes
   * @param sized whether each block has its size in front
   */
  static byte[] encrypt(byte[] key, byte[] header, boolean sized, List<byte[]> blocks)
      throws GeneralSecurityException {
    byte[] fileKey = fileKey(key, Arrays.copyOfRange(header, 12, HEADER));
    List<byte[]> parts = new ArrayList<>(List.of(header));
    for (int i = 0; i < blocks.size(); i++) {
      boolean last = i == blocks.size() - 1;
      byte[] plain = blocks.get(i);
      if (sized) {
        parts.add(ByteBuffer.allocate(4).putInt(plain.length).array());
      }
      parts.add(block(Cipher.ENCRYPT_MODE, fileKey, header, i, last, plain));
    }
    return concat(parts);
  }

  /** Reads a file whose blocks have equal sizes, or their sizes in front. */
  static byte[] decrypt(byte[] key, byte[] file) throws GeneralSecurityException {
    byte[] header = Arrays.copyOf(file, HEADER);
    byte[] fileKey = fileKey(key, Arrays.copyOfRange(header, 12, HEADER));
    boolean sized = header[5] == 1;
    int equal = ByteBuffer.wrap(header).getInt(8);
    ByteBuffer rest = ByteBuffer.wrap(file, HEADER, file.length - HEADER);
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i == 0 || rest.hasRemaining(); i++) {
      int size = sized ? rest.getInt() + TAG : Math.min(equal + TAG, rest.remaining());
      byte[] in = new byte[size];
      rest.get(in);
      parts.add(block(Cipher.DECRYPT_MODE, fileKey, header, i, !rest.hasRemaining(), in));
    }
    return concat(parts);
  }

  static byte[] concat(List<byte[]> parts) {
    ByteBuffer all = ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
    parts.forEach(all::put);
    return all.array();
  }
}
