package io.dpuactors.encrypted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dpuactors.encrypted.EncryptedHeader.Layout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests header and nonces, byte by byte. */
class EncryptedHeaderTest {
  private static final HexFormat HEX = HexFormat.of();

  @ParameterizedTest
  @CsvSource({
    "EQUAL, 65536, 4450451a 01 00 0000 00010000",
    "EQUAL, 1048576, 4450451a 01 00 0000 00100000",
    "MEMBERS, 4194304, 4450451a 01 01 0000 00400000"
  })
  void aHeaderHasTheDocumentedBytes(Layout layout, int blockBytes, String bytes)
      throws EncryptedFormatException {
    byte[] header = EncryptedHeader.create(layout, blockBytes).bytes();
    assertThat(header).hasSize(44).startsWith(HEX.parseHex(bytes.replace(" ", "")));
    EncryptedHeader parsed = EncryptedHeader.parse(ByteBuffer.wrap(header));
    assertThat(parsed.layout()).isEqualTo(layout);
    assertThat(parsed.blockBytes()).isEqualTo(blockBytes);
    assertThat(parsed.bytes()).isEqualTo(header);
  }

  @Test
  void eachFileHasItsSalt() {
    byte[] one = EncryptedHeader.create(Layout.EQUAL, 1 << 20).bytes();
    byte[] other = EncryptedHeader.create(Layout.EQUAL, 1 << 20).bytes();
    assertThat(Arrays.copyOfRange(one, 12, 44)).isNotEqualTo(Arrays.copyOfRange(other, 12, 44));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 65535, (4 << 20) + 1, -1})
  void anotherBlockSizeIsRefused(int blockBytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EncryptedHeader.create(Layout.EQUAL, blockBytes));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 00, is not encrypted",
    "3, 1b, is not encrypted",
    "4, 02, has version 2 of the format",
    "5, 02, damaged: its header has impossible values",
    "5, ff, damaged: its header has impossible values",
    "6, 01, damaged: its header has impossible values",
    "7, 01, damaged: its header has impossible values",
    "8, 01, damaged: its header has impossible values",
    "9, 00, damaged: its header has impossible values"
  })
  void aWrongByteIsRefused(int offset, String value, String message) {
    byte[] header = EncryptedHeader.create(Layout.EQUAL, 1 << 20).bytes();
    header[offset] = HEX.parseHex(value)[0];
    assertThatExceptionOfType(EncryptedFormatException.class)
        .isThrownBy(() -> EncryptedHeader.parse(ByteBuffer.wrap(header)))
        .withMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource({"0, is not encrypted", "3, is not encrypted", "4, truncated", "43, truncated"})
  void aShortFileIsRefused(int length, String message) {
    byte[] header = EncryptedHeader.create(Layout.EQUAL, 1 << 20).bytes();
    assertThatExceptionOfType(EncryptedFormatException.class)
        .isThrownBy(() -> EncryptedHeader.parse(ByteBuffer.wrap(header, 0, length)))
        .withMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource({
    "0, false, 00000000000000 00000000 00",
    "0, true, 00000000000000 00000000 01",
    "258, false, 00000000000000 00000102 00",
    "4294967295, true, 00000000000000 ffffffff 01"
  })
  void aNonceHasTheDocumentedBytes(long block, boolean last, String bytes) {
    assertThat(FileCipher.nonce(block, last)).isEqualTo(HEX.parseHex(bytes.replace(" ", "")));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1L << 32})
  void aBlockBeyondTheCounterHasNoNonce(long block) {
    assertThatIllegalArgumentException().isThrownBy(() -> FileCipher.nonce(block, false));
  }
}
