package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.dpuactors.file.FileEvent.Done;
import io.dpuactors.file.FileFailure.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which blocks of an output a later process continues. */
class ResumedFileTest extends ResumedTestBase {
  private void assertWarns(String why) {
    assertThat(warnings.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .singleElement()
        .asString()
        .endsWith(why);
  }

  private void assertContinues(FileJob job, long blocks, byte[] whole) throws IOException {
    FileEvent end = run(job, BLOCKS);
    assertThat(end).as("%s", end).isInstanceOf(Done.class);
    FileReport report = ((Done) end).report();
    assertThat(report.resumed().blocks()).isEqualTo(blocks);
    assertThat(report.blocks()).isEqualTo(BLOCKS);
    assertThat(computed).as("each block counts once").isEqualTo((int) (BLOCKS - blocks));
    assertThat(report.bytesIn()).isEqualTo(Files.size(job.input()));
    assertThat(report.bytesOut()).isEqualTo(whole.length);
    assertThat(path("out")).hasBinaryContent(whole);
    assertThat(names()).doesNotContain(".out.dpu.part", ".out.dpu.journal");
  }

  @Test
  void aCompressionContinuesAfterItsCompleteBlocks() throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    assertThat(interrupted(compress(BLOCK), 3).kind()).isEqualTo(Kind.TASK);
    interrupted(compress(BLOCK), 2);
    assertThat(computed).isEqualTo(2);
    assertContinues(compress(BLOCK), 5, whole);
    assertThat(warnings.list).isEmpty();
  }

  @Test
  void aDecompressionContinuesAfterItsCompleteBlocks() throws IOException {
    assertThat(run(compress(BLOCK), BLOCKS)).isInstanceOf(Done.class);
    Files.move(path("out"), path("in.gz"));
    FileJob job = new FileJob.Decompress(path("in.gz"), path("out"), BLOCK, false);
    interrupted(job, 4);
    assertContinues(job, 4, Files.readAllBytes(path("in")));
  }

  @Test
  void aFileWhoseBlocksAreAllCompleteOnlyGetsItsName() throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), BLOCKS - 1);
    assertContinues(compress(BLOCK), BLOCKS - 1, whole);
  }

  @ParameterizedTest
  @CsvSource({
    "journal, 0, 0, the beginning: the journal is damaged", // magic
    "journal, 8, 0, the beginning: the input or the options have changed", // job
    "journal, 40, 0, the beginning: damaged blocks of the part: 5 of 5", // offset in the input
    "journal, 71, 1, block 1: damaged blocks of the part: 4 of 5", // offset in the output
    "journal, 82, 1, block 1: damaged blocks of the part: 4 of 5", // checksum of the block
    "journal, -1, 4, block 4: damaged blocks of the part: 1 of 5", // checksum of the record
    "part, 0, 0, the beginning: damaged blocks of the part: 5 of 5",
    "part, -1, 4, block 4: damaged blocks of the part: 1 of 5",
  })
  void damagedBlocksAreComputedAgain(String which, int offset, int intact, String why)
      throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), 5);
    change(which.equals("part") ? part() : journal(), offset);
    assertContinues(compress(BLOCK), intact, whole);
    assertWarns("out: begins again at " + why);
  }

  @ParameterizedTest
  @CsvSource({"journal, 5, 4", "journal, 120, 0", "journal, 150, 0", "part, 1, 4", "part, 5000, 0"})
  void aShorterFileLosesItsLastBlocks(String which, int missing, int intact) throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), 5);
    Path file = which.equals("part") ? part() : journal();
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, Math.max(0, bytes.length - missing)));
    assertContinues(compress(BLOCK), intact, whole);
  }

  @Test
  void bytesBehindTheLastCompleteBlockAreRemoved() throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), 5);
    Files.write(part(), new byte[3 * BLOCK], StandardOpenOption.APPEND);
    assertContinues(compress(BLOCK), 5, whole);
  }

  @Test
  void aChangedInputIsReadFromItsBeginning() throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK), 5);
    Files.setLastModifiedTime(path("in"), FileTime.fromMillis(1));
    assertContinues(compress(BLOCK), 0, whole);
    assertWarns("out: begins again at the beginning: the input or the options have changed");
  }

  @Test
  void otherOptionsBeginANewOutput() throws IOException {
    byte[] whole = wholeOutput(compress(BLOCK));
    interrupted(compress(BLOCK / 2), 5);
    assertContinues(compress(BLOCK), 0, whole);
  }

  /**
   * A check without a result is no wrong result. The context gets the first blocks of the window,
   * then their checks: the last task that it computes is the check of the first block.
   */
  @Test
  void aVerificationWithoutAResultIsContinued() throws IOException {
    FileJob job = new FileJob.Compress(path("in"), path("out"), BLOCK, /* verify= */ true, false);
    assertThat(run(job, 2 * BLOCKS)).isInstanceOf(Done.class);
    byte[] whole = Files.readAllBytes(path("out"));
    Files.delete(path("out"));
    FileFailure failure = interrupted(job, WINDOW + 1);
    assertThat(failure.kind()).isEqualTo(Kind.TASK);
    assertThat(failure.block()).hasValue(1);
    assertThat(failure.message()).contains("TIME_OUT");
    FileEvent end = run(job, 2 * BLOCKS);
    assertThat(end).as("%s", end).isInstanceOf(Done.class);
    assertThat(((Done) end).report().resumed().blocks()).isEqualTo(1);
    assertThat(computed).as("tasks of the other blocks").isEqualTo(2 * (BLOCKS - 1));
    assertThat(path("out")).hasBinaryContent(whole);
  }
}
