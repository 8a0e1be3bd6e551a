package io.dpuactors.encrypted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Tests keys and their derivation. */
class CipherKeyTest {
  private static final HexFormat HEX = HexFormat.of();

  /** RFC 5869, appendix A.1 and A.2: the first 32 bytes of the output. */
  @Test
  void derivationEqualsThePublishedVectors() {
    assertThat(
            CipherKey.hkdf(
                HEX.parseHex("0b".repeat(22)),
                HEX.parseHex("000102030405060708090a0b0c"),
                HEX.parseHex("f0f1f2f3f4f5f6f7f8f9"),
                32))
        .isEqualTo(
            HEX.parseHex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"));
    assertThat(CipherKey.hkdf(range(0x00, 80), range(0x60, 80), range(0xb0, 80), 16))
        .isEqualTo(HEX.parseHex("b11e398dc80327a1c8e7f78c596a4934"));
  }

  private static byte[] range(int first, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  @Test
  void aKeyHas16Or32Bytes() {
    assertThat(CipherKey.of(new byte[16]).bits()).isEqualTo(128);
    assertThat(CipherKey.random(256).bits()).isEqualTo(256);
    assertThatIllegalArgumentException().isThrownBy(() -> CipherKey.of(new byte[24]));
  }

  @Test
  void randomKeysDiffer() {
    assertThat(bytes(CipherKey.random(128))).isNotEqualTo(bytes(CipherKey.random(128)));
  }

  private static byte[] bytes(CipherKey key) {
    ByteBuffer bytes = ByteBuffer.allocate(key.bits() / 8);
    key.writeTo(bytes);
    return bytes.array();
  }

  @Test
  void aKeyDoesNotChangeWithItsSource() {
    byte[] source = range(1, 16);
    CipherKey key = CipherKey.of(source);
    source[0] = 99;
    assertThat(bytes(key)).isEqualTo(range(1, 16));
  }

  @Test
  void textsContainNoByteOfAKey() {
    CipherKey key = CipherKey.of(range(0x41, 32)); // letters
    FileCipher cipher =
        FileCipher.of(key, EncryptedHeader.create(EncryptedHeader.Layout.EQUAL, 1 << 20));
    assertThat(key).hasToString("key of 256 bits");
    assertThat(cipher).hasToString("file key of 256 bits");
  }

  @Test
  void closeOverwritesTheFileKey() {
    FileCipher cipher =
        FileCipher.of(
            CipherKey.random(256), EncryptedHeader.create(EncryptedHeader.Layout.EQUAL, 1 << 20));
    assertThat(cipher.key()).isNotEqualTo(ByteBuffer.allocate(32));
    cipher.close();
    assertThat(cipher.key()).isEqualTo(ByteBuffer.allocate(32));
  }
}
