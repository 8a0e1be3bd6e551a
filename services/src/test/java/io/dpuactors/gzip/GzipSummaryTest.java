package io.dpuactors.gzip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.dpuactors.gzip.GzipFormatException.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GzipSummaryTest {
  private static final GzipLimits LIMITS = GzipLimits.of(1 << 20, "the test's limit");
  private static final byte[] CONTENT = GzipFiles.text(2500, 5);
  private static final byte[] FILE = GzipFiles.file(CONTENT, 1000);

  @TempDir Path folder;

  private GzipSummary scan(byte[] file) throws IOException {
    return GzipFiles.scan(folder, file, LIMITS);
  }

  private void refused(byte[] file, Problem problem) {
    assertThatThrownBy(() -> scan(file))
        .isInstanceOfSatisfying(
            GzipFormatException.class, e -> assertThat(e.problem()).isEqualTo(problem));
  }

  @Test
  void itCountsAndMeasures() throws IOException {
    GzipSummary summary = scan(FILE);
    assertThat(summary.members()).isEqualTo(3);
    assertThat(summary.contentBytes()).isEqualTo(2500);
    assertThat(summary.maxContentBytes()).isEqualTo(1000);
    assertThat(summary.maxPayloadBytes()).isBetween(1L, 1000L);
  }

  @Test
  void filesPutTogetherAreOneFile() throws IOException {
    byte[] two = Arrays.copyOf(FILE, 2 * FILE.length);
    System.arraycopy(FILE, 0, two, FILE.length, FILE.length);
    assertThat(scan(two).members()).isEqualTo(6);
  }

  @Test
  void anEmptyMemberIsAccepted() throws IOException {
    assertThat(scan(GzipFiles.file(new byte[0], 1))).isEqualTo(new GzipSummary(1, 2, 0, 0));
  }

  @Test
  void gzipOfOtherProgramsIsRecognized() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(CONTENT);
    }
    assertThatThrownBy(() -> scan(out.toByteArray()))
        .isInstanceOf(GzipFormatException.class)
        .hasMessageContaining("not written by dpu compress: use gunzip");
  }

  @Test
  void otherFormatsAreRecognized() {
    refused(new byte[0], Problem.NOT_GZIP);
    refused(new byte[] {'x'}, Problem.NOT_GZIP);
    refused(CONTENT, Problem.NOT_GZIP);
  }

  @Test
  void everyTruncationIsFound() {
    for (int length = 1; length < FILE.length; length++) {
      byte[] cut = Arrays.copyOf(FILE, length);
      try {
        GzipSummary summary = scan(cut);
        // A cut between members leaves a valid file; the format does not count members.
        assertThat(summary.contentBytes()).isIn(1000L, 2000L);
      } catch (GzipFormatException e) {
        assertThat(e.problem()).isEqualTo(Problem.TRUNCATED);
      } catch (IOException e) {
        fail("cut at " + length, e);
      }
    }
  }

  @Test
  void trailingBytesAreFound() {
    refused(Arrays.copyOf(FILE, FILE.length + 1), Problem.TRAILING_BYTES);
    refused(Arrays.copyOf(FILE, FILE.length + 40), Problem.TRAILING_BYTES);
  }

  @Test
  void sizesBeyondTheLimitAreRefusedBeforeAnythingIsAllocated() {
    byte[] content = new byte[2 << 20];
    assertThatThrownBy(() -> scan(GzipFiles.file(content, content.length)))
        .isInstanceOfSatisfying(
            GzipFormatException.class, e -> assertThat(e.problem()).isEqualTo(Problem.TOO_LARGE))
        .hasMessageContaining("the test's limit is 1048576");
    byte[] noise = new byte[2 << 20];
    new Random(1).nextBytes(noise);
    refused(GzipFiles.file(noise, noise.length), Problem.TOO_LARGE);
  }

  @Test
  void damagedInputCausesOnlyTheTypedError() throws IOException {
    Random random = new Random(20);
    int refused = 0;
    for (int round = 0; round < 4000; round++) {
      byte[] file = FILE.clone();
      for (int hit = random.nextInt(4); hit >= 0; hit--) {
        file[random.nextInt(file.length)] = (byte) random.nextInt();
      }
      if (random.nextInt(4) == 0) {
        file = Arrays.copyOf(file, random.nextInt(file.length + 60));
      }
      try {
        GzipSummary summary = scan(file);
        assertThat(summary.maxContentBytes()).isLessThanOrEqualTo(1 << 20);
      } catch (GzipFormatException e) {
        refused++;
        assertThat(e).hasMessageNotContaining("null");
      }
    }
    assertThat(refused).isGreaterThan(500);
  }
}
