package io.dpuactors.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dpuactors.erasure.PartFormatException.Problem;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the format of docs/erasure-format.md byte by byte. */
class PartHeaderTest {
  private static final PartHeader HEADER =
      new PartHeader(
          UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
          new Stripes(4, 2, 262_144),
          5,
          1_000_000_000L);

  /** The checksums of this test were computed by another implementation of CRC-32C. */
  @Test
  void theHeaderIsThatOfTheDocument() {
    assertThat(HexFormat.of().formatHex(bytes(HEADER)))
        .isEqualTo(
            "894450554543 0d0a 0100 0400 0200 0500 00000400 00ca9a3b00000000".replace(" ", "")
                + "00112233445566778899aabbccddeeff"
                + "9b862da7");
    assertThat(HEADER.blockCrc32c(7, ByteBuffer.wrap(new byte[64]))).isEqualTo(0xe9669cac);
  }

  private static byte[] bytes(PartHeader header) {
    ByteBuffer bytes = ByteBuffer.allocate(PartHeader.BYTES);
    header.put(bytes);
    return bytes.array();
  }

  @Test
  void aHeaderIsReadAsItWasWritten() throws PartFormatException {
    assertThat(PartHeader.get(ByteBuffer.wrap(bytes(HEADER)))).isEqualTo(HEADER);
  }

  @Test
  void everyFlippedBitAndEveryTruncationIsFound() {
    byte[] whole = bytes(HEADER);
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      Problem expected = bit < 64 ? Problem.FOREIGN : Problem.DAMAGED;
      assertThat(problem(damaged)).as("bit %d", bit).isEqualTo(expected);
    }
    for (int length = 0; length < whole.length; length++) {
      Problem expected = length < 8 ? Problem.FOREIGN : Problem.DAMAGED;
      assertThat(problem(Arrays.copyOf(whole, length))).isEqualTo(expected);
    }
  }

  private static Problem problem(byte[] header) {
    Problem[] found = new Problem[1];
    assertThatExceptionOfType(PartFormatException.class)
        .isThrownBy(() -> PartHeader.get(ByteBuffer.wrap(header)))
        .satisfies(e -> found[0] = e.problem());
    return found[0];
  }

  @Test
  void theChecksumOfABlockCoversItsPlace() {
    ByteBuffer block = ByteBuffer.allocate(64);
    int crc = HEADER.blockCrc32c(7, block);
    PartHeader other = new PartHeader(UUID.randomUUID(), HEADER.stripes(), 5, 1_000_000_000L);
    assertThat(HEADER.blockCrc32c(8, block)).isNotEqualTo(crc);
    assertThat(HEADER.withIndex(4).blockCrc32c(7, block)).isNotEqualTo(crc);
    assertThat(other.blockCrc32c(7, block)).isNotEqualTo(crc);
    assertThat(block.remaining()).isEqualTo(64);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 48, 64",
    "1, 1, 116, 64",
    "256, 1, 116, 64",
    "257, 1, 180, 128",
    "768, 1, 244, 192",
    "769, 2, 312, 192",
    "1536, 2, 440, 192"
  })
  void sizesFollowFromTheFile(long fileBytes, long blocks, long partBytes, int firstBlock) {
    PartHeader header = new PartHeader(UUID.randomUUID(), new Stripes(4, 2, 192), 0, fileBytes);
    assertThat(header.blocks()).isEqualTo(blocks);
    assertThat(header.partBytes()).isEqualTo(partBytes);
    assertThat(header.blockBytes(0)).isEqualTo(firstBlock);
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 64", "1, 0, 64", "200, 57, 64", "1, 1, 0", "1, 1, 65", "255, 1, 134217728"})
  void impossibleStripesAreRefused(int data, int parity, int blockBytes) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Stripes(data, parity, blockBytes));
  }

  @Test
  void impossiblePartsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> HEADER.withIndex(6));
    assertThatIllegalArgumentException().isThrownBy(() -> HEADER.withIndex(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PartHeader(HEADER.file(), HEADER.stripes(), 0, Long.MAX_VALUE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PartHeader(HEADER.file(), HEADER.stripes(), 0, -1));
  }
}
