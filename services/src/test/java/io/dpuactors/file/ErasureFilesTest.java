package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dpuactors.erasure.PartFormatException;
import io.dpuactors.erasure.PartHeader;
import io.dpuactors.erasure.PartReport;
import io.dpuactors.erasure.PartReport.State;
import io.dpuactors.erasure.PartSet;
import io.dpuactors.erasure.Stripes;
import io.dpuactors.file.FileFailure.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that files are recovered after the loss of parts. */
class ErasureFilesTest extends ErasureTestBase {
  /** Bytes of a part before the first block, and of a checksum. */
  private static final int HEADER = 48;

  private static final int CRC = 4;

  /** Copies parts, without those of a set of bits. */
  private Path without(Path parts, int lost, int count) throws IOException {
    Path copy = Files.createDirectory(folder.resolve("lost" + lost + "-" + parts.getFileName()));
    for (int i = 0; i < count; i++) {
      if ((lost >> i & 1) == 0) {
        Files.copy(part(parts, i), part(copy, i));
      }
    }
    return copy;
  }

  private static void flip(Path part, long offset) throws IOException {
    byte[] bytes = Files.readAllBytes(part);
    bytes[(int) offset] ^= 0x10;
    Files.write(part, bytes);
  }

  /** All sets of lost parts: up to the number of parity parts recover; more fail without output. */
  @Test
  void everySetOfLostPartsIsRecoveredOrRefused() throws IOException {
    for (Stripes stripes :
        List.of(
            new Stripes(1, 1, BLOCK),
            new Stripes(1, 3, BLOCK),
            new Stripes(3, 1, BLOCK),
            new Stripes(4, 2, BLOCK),
            new Stripes(2, 3, BLOCK))) {
      String name = "a%d+%d".formatted(stripes.data(), stripes.parity());
      byte[] content = noise(3 * stripes.stripeBytes() + 77);
      Files.write(folder.resolve(name), content);
      runAll(List.of(encode(name, stripes)));
      List<FileJob> jobs = new ArrayList<>();
      for (int lost = 0; lost < 1 << stripes.parts(); lost++) {
        jobs.add(recover(without(folder.resolve(name + ".d"), lost, stripes.parts())));
      }
      List<FileEvent> ends = run(jobs);
      for (int lost = 0; lost < jobs.size(); lost++) {
        boolean isEnough = Integer.bitCount(lost) <= stripes.parity();
        assertThat(ends.get(lost) instanceof FileEvent.Done).as("%x", lost).isEqualTo(isEnough);
        if (isEnough) {
          assertThat(jobs.get(lost).output()).hasBinaryContent(content);
        } else {
          assertThat(jobs.get(lost).output()).doesNotExist();
        }
      }
    }
  }

  @Test
  void sizesAtTheBordersOfBlocksAndStripesAreRestored() throws IOException {
    int stripe = STRIPES.stripeBytes();
    List<Integer> sizes =
        List.of(
            0,
            1,
            63,
            64,
            65,
            127,
            128,
            129,
            255,
            256,
            257,
            stripe - 1,
            stripe,
            stripe + 1,
            2 * stripe - 1,
            2 * stripe,
            2 * stripe + 1,
            9 * stripe,
            9 * stripe + 300);
    List<FileJob> encodes = new ArrayList<>();
    for (int size : sizes) {
      Files.write(folder.resolve("s" + size), noise(size));
      encodes.add(encode("s" + size, STRIPES));
    }
    runAll(encodes);
    List<FileJob> recovers = new ArrayList<>();
    for (int size : sizes) {
      Path parts = folder.resolve("s" + size + ".d");
      for (int i = 0; i < STRIPES.parts(); i++) {
        assertThat(Files.size(part(parts, i))).isEqualTo(verify(parts).header().partBytes());
      }
      recovers.add(recover(without(parts, 0b001001, STRIPES.parts())));
    }
    runAll(recovers);
    for (int i = 0; i < sizes.size(); i++) {
      assertThat(recovers.get(i).output()).hasBinaryContent(noise(sizes.get(i)));
    }
  }

  /** Every stripe has lost two other blocks, so that no part is sound. */
  @Test
  void damagedBlocksInAllPartsAreRestored() throws IOException {
    Path parts = parts("a", 15 * STRIPES.stripeBytes());
    int stripe = 0;
    for (int first = 0; first < STRIPES.parts(); first++) {
      for (int second = first + 1; second < STRIPES.parts(); second++) {
        long offset = HEADER + (long) stripe * (BLOCK + CRC);
        flip(part(parts, first), offset + stripe);
        flip(part(parts, second), offset + BLOCK);
        stripe++;
      }
    }
    PartReport report = verify(parts);
    assertThat(report.isRecoverable()).isTrue();
    assertThat(report.rows()).allMatch(row -> row.state() == State.DAMAGED && row.damaged() == 5);
    runAll(List.of(recover(parts)));
    assertThat(output(parts)).hasBinaryContent(noise(15 * STRIPES.stripeBytes()));
  }

  /** Many sets of lost blocks: the job keeps few matrices, and each stripe gets the right one. */
  @Test
  void everyStripeMayHaveLostOtherBlocks() throws IOException {
    Stripes stripes = new Stripes(6, 4, 64);
    byte[] content = noise(120 * stripes.stripeBytes() + 5);
    Files.write(folder.resolve("a"), content);
    runAll(List.of(encode("a", stripes)));
    Path parts = folder.resolve("a.d");
    Random random = new Random(3);
    for (int i = 0; i < 4; i++) {
      byte[] bytes = Files.readAllBytes(part(parts, 2 * i));
      for (int stripe = 0; stripe < 120; stripe++) {
        bytes[HEADER + stripe * 68 + 3] ^= (byte) (random.nextInt(3) == 0 ? 0 : 1);
      }
      Files.write(part(parts, 2 * i), bytes);
    }
    runAll(List.of(recover(parts)));
    assertThat(output(parts)).hasBinaryContent(content);
  }

  @Test
  void aStripeWithTooFewBlocksFailsWithoutOutput() throws IOException {
    Path parts = parts("a", 3 * STRIPES.stripeBytes());
    for (int i = 1; i < 4; i++) {
      flip(part(parts, i), HEADER + BLOCK + CRC + 5);
    }
    assertThat(verify(parts).lostStripes()).isEqualTo(1);
    assertThat(verify(parts).isRecoverable()).isFalse();
    FileFailure failure = failure(recover(parts));
    assertThat(failure.kind()).isEqualTo(Kind.INPUT);
    assertThat(failure.toString()).endsWith("a.d: block 1: 3 of 6 blocks are sound, 4 are needed");
    assertThat(output(parts)).doesNotExist();
  }

  /** The check of these blocks would take years, or more memory than the process has. */
  @ParameterizedTest
  @CsvSource({"64, 1152921504606846976, 18014398509481984", "1073741824, 3221225472, 3"})
  void aHeaderMayClaimMoreThanItsFileHas(int blockBytes, long fileBytes, long blocks)
      throws IOException {
    Stripes stripes = new Stripes(1, 1, blockBytes);
    ByteBuffer header = ByteBuffer.allocate(PartHeader.BYTES + 1);
    new PartHeader(UUID.randomUUID(), stripes, 0, fileBytes).put(header);
    Path parts = Files.createDirectory(folder.resolve("a.d"));
    Files.write(part(parts, 0), header.array());
    PartReport report = verify(parts);
    assertThat(report.lostStripes()).isEqualTo(blocks);
    assertThat(report.rows()).allMatch(row -> row.damaged() == blocks);
    assertThat(report.rows().get(0).state()).isEqualTo(State.DAMAGED);
  }

  @Test
  void aFileThatHidesItsSizeIsRestored() throws IOException {
    Path devices = Path.of("/proc/devices");
    byte[] content = Files.readAllBytes(devices);
    assertThat(Files.size(devices)).isZero();
    assertThat(content).hasSizeGreaterThan(STRIPES.data() * Stripes.GRANULE);
    Path parts = folder.resolve("devices.d");
    runAll(List.of(new FileJob.Encode(devices, parts, STRIPES, false)));
    runAll(List.of(recover(parts)));
    assertThat(output(parts)).hasBinaryContent(content);
  }

  @Test
  void truncatedAndForeignPartsCountAsLost() throws IOException {
    Path parts = parts("a", 3 * STRIPES.stripeBytes());
    byte[] whole = Files.readAllBytes(part(parts, 0));
    for (int length = 0; length < whole.length; length += 31) {
      Files.write(part(parts, 0), Arrays.copyOf(whole, length));
      Files.writeString(part(parts, 5), "this was a part");
      Files.deleteIfExists(output(parts));
      runAll(List.of(recover(parts)));
      assertThat(output(parts)).hasBinaryContent(noise(3 * STRIPES.stripeBytes()));
    }
    PartReport report = verify(parts);
    assertThat(report.rows().get(0).state()).isEqualTo(State.DAMAGED);
    assertThat(report.rows().get(5).state()).isEqualTo(State.MISSING);
    assertThat(report.others())
        .singleElement()
        .satisfies(other -> assertThat(other.reason()).isEqualTo("not a part of 'dpu ec encode'"));
  }

  @Test
  void partsUnderOtherNamesAndBesideOtherFilesAreFound() throws IOException {
    Path parts = parts("a", 1000);
    Files.move(part(parts, 0), parts.resolve("zzz"));
    Files.copy(part(parts, 1), parts.resolve("zzz copy"));
    Files.createDirectory(parts.resolve("folder"));
    Files.write(part(parts, 2), new byte[] {1}, StandardOpenOption.APPEND);
    PartReport report = verify(parts);
    assertThat(report.rows().get(0).path()).hasFileName("zzz");
    assertThat(report.rows().get(2).state()).isEqualTo(State.DAMAGED);
    assertThat(report.count(State.SOUND)).isEqualTo(5);
    assertThat(report.others())
        .singleElement()
        .satisfies(other -> assertThat(other.reason()).isEqualTo("another copy of part-001.ec"));
    runAll(List.of(recover(parts)));
    assertThat(output(parts)).hasBinaryContent(noise(1000));
  }

  @Test
  void partsOfTwoFilesAreNotMixed() throws IOException {
    Path parts = parts("a", 1000);
    Path others = parts("b", 1000);
    Files.copy(part(others, 0), part(parts, 0), StandardCopyOption.REPLACE_EXISTING);
    runAll(List.of(recover(parts)));
    assertThat(output(parts)).hasBinaryContent(noise(1000));
    assertThat(verify(parts).others())
        .singleElement()
        .satisfies(other -> assertThat(other.reason()).isEqualTo("a part of another file"));
    for (int i = 1; i < 3; i++) {
      Files.copy(part(others, i), part(parts, i), StandardCopyOption.REPLACE_EXISTING);
    }
    FileFailure few = failure(new FileJob.Recover(parts, folder.resolve("x"), false));
    assertThat(few.toString()).endsWith("a.d: has 3 of 6 parts, 4 are needed");
    assertThat(names()).doesNotContain("x");
  }

  @Test
  void completePartsOfTwoFilesAreRefused() throws IOException {
    Path parts = parts("a", 1000);
    Path others = parts("b", 1000);
    for (int i = 0; i < 4; i++) {
      Files.copy(part(others, i), parts.resolve("b" + i));
    }
    assertThatExceptionOfType(PartFormatException.class)
        .isThrownBy(() -> PartSet.open(parts))
        .withMessage("has the parts of 2 files; keep those of one")
        .satisfies(e -> assertThat(e.problem()).isEqualTo(PartFormatException.Problem.AMBIGUOUS));
    assertThat(failure(recover(parts)).kind()).isEqualTo(Kind.INPUT);
    assertThat(output(parts)).doesNotExist();
  }
}
