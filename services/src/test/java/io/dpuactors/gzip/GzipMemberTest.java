package io.dpuactors.gzip;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.gzip.GzipFormatException.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GzipMemberTest {
  @Test
  void aMemberHasTheDocumentedBytes() {
    byte[] stored = HexFormat.of().parseHex("010500faff68656c6c6f");
    assertThat(HexFormat.of().formatHex(GzipFiles.member("hello".getBytes(US_ASCII), stored)))
        .isEqualTo(
            "1f8b0804"
                + "00000000"
                + "00ff"
                + "0800"
                + "44410400"
                + "26000000"
                + "010500faff68656c6c6f"
                + "86a61036"
                + "05000000");
  }

  @Test
  void theEmptyMemberHasTheDocumentedBytes() {
    assertThat(HexFormat.of().formatHex(GzipFiles.file(new byte[0], 1)))
        .isEqualTo("1f8b08040000000000ff0800444104001e00000003000000000000000000");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 999, 1000, 1001, 5000})
  void theJdkReadsWhatIsWritten(int bytes) throws IOException {
    byte[] content = GzipFiles.text(bytes, bytes);
    byte[] file = GzipFiles.file(content, 1000);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(file))) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
  }

  @Test
  void writtenEntriesAreReadBack() throws GzipFormatException {
    ByteBuffer member = ByteBuffer.wrap(GzipFiles.file(GzipFiles.text(1000, 1), 1000));
    long payload = GzipMember.payloadBytes(member, 0);
    assertThat(member.position()).isEqualTo(GzipMember.HEADER_BYTES);
    assertThat(payload).isEqualTo(member.limit() - 28);
    int trailer = member.limit() - GzipMember.TRAILER_BYTES;
    assertThat(GzipMember.contentBytes(member, trailer, payload, 0)).isEqualTo(1000);
  }

  @Test
  void theEmptyPayloadIsRecognised() {
    ByteBuffer member = ByteBuffer.wrap(GzipFiles.file(new byte[0], 1));
    assertThat(GzipMember.isEmptyPayload(member.duplicate().position(20).limit(22))).isTrue();
    assertThat(GzipMember.isEmptyPayload(member.duplicate().position(19).limit(21))).isFalse();
    assertThat(GzipMember.isEmptyPayload(member.duplicate().position(20).limit(23))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 00, NOT_GZIP, not a gzip file",
    "2, 07, UNKNOWN_METHOD, method 7",
    "3, 00, NO_MEMBER_SIZE, use gunzip",
    "3, 08, NO_MEMBER_SIZE, use gunzip",
    "3, 0c, NO_MEMBER_SIZE, use gunzip",
    "3, 24, RESERVED_FLAGS, 0x24",
    "10, 09, NO_MEMBER_SIZE, use gunzip",
    "12, 42, NO_MEMBER_SIZE, use gunzip",
    "14, 05, NO_MEMBER_SIZE, use gunzip",
    "16, 1d, WRONG_SIZE, 29 bytes long"
  })
  void aWrongHeaderIsRefused(int index, String hex, Problem problem, String message) {
    byte[] member = GzipFiles.member(new byte[0], new byte[] {3, 0});
    member[index] = (byte) HexFormat.fromHexDigits(hex);
    assertThatThrownBy(() -> GzipMember.payloadBytes(ByteBuffer.wrap(member), 0))
        .isInstanceOfSatisfying(
            GzipFormatException.class, e -> assertThat(e.problem()).isEqualTo(problem))
        .hasMessageContaining(message);
  }

  @Test
  void aSizeBeyondDeflatesReachIsRefused() throws GzipFormatException {
    ByteBuffer trailer = ByteBuffer.allocate(8);
    GzipMember.putTrailer(trailer, 0, 10 * GzipMember.MAX_EXPANSION);
    assertThat(GzipMember.contentBytes(trailer, 0, 10, 0)).isEqualTo(10320);
    assertThatThrownBy(() -> GzipMember.contentBytes(trailer, 0, 9, 77))
        .isInstanceOf(GzipFormatException.class)
        .hasMessageContaining("offset 77");
    GzipMember.putTrailer(trailer.clear(), 0, -1);
    assertThat(GzipMember.contentBytes(trailer, 0, 1 << 24, 0)).isEqualTo(0xffff_ffffL);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64, 4096, 65535, 65536, 1 << 20})
  void nothingNeedsMoreThanTheBound(int bytes) {
    byte[] noise = new byte[bytes];
    new Random(bytes).nextBytes(noise);
    assertThat(GzipFiles.deflate(noise).length).isLessThan((int) GzipMember.maxPayloadBytes(bytes));
    // Fixed codes use nine bits for each worst-case byte.
    assertThat(GzipMember.maxPayloadBytes(bytes)).isGreaterThan((9L * bytes + 3 + 7) / 8 + 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 63, 64, 65, 66, 1000, 1 << 20, 1 << 27, Integer.MAX_VALUE, 1L << 40})
  void theInverseOfTheBoundIsExact(long payload) {
    int content = GzipMember.maxContentBytes(payload);
    assertThat(content == 0 || GzipMember.maxPayloadBytes(content) <= payload).isTrue();
    assertThat(content == Integer.MAX_VALUE || GzipMember.maxPayloadBytes(content + 1) > payload)
        .isTrue();
  }
}
