package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.apps.cli.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the program with standard input and output, in a separate process. */
class StandardStreamsTest extends ProgramFixture {
  private Program stream(Path input, Map<String, String> environment, Object... words)
      throws IOException {
    return Program.dpuThatReads(logs, environment, input, words);
  }

  @Test
  void aStreamRoundTrips() throws Exception {
    for (byte[] content : List.of(new byte[0], new byte[] {'x'}, noise(2 * BLOCK), TEXT)) {
      Path file = Files.write(folder.resolve("in"), content);
      Program there = stream(file, Map.of(), "compress", "-b", "64K", "-");
      assertThat(there.status()).as(there.err()).isZero();
      assertThat(there.err()).hasLineCount(1).startsWith("- -> -: ");
      readBy(content, "gzip", "-dc", there.outFile().toString());
      Program back = stream(there.outFile(), Map.of(), "decompress", "-q", "-");
      assertThat(back.status()).as(back.err()).isZero();
      assertThat(back.err()).isEmpty();
      assertThat(back.outFile()).hasBinaryContent(content);
    }
    assertThat(names()).containsExactly("in");
  }

  @Test
  void membersOfAStreamMayGrow() throws Exception {
    byte[] large = new byte[20 << 20];
    System.arraycopy(noise(3 << 20), 0, large, 10 << 20, 3 << 20);
    List<String> sizes = List.of("64K", "3M", "16M", "1M");
    Path all = Files.createFile(folder.resolve("all.gz"));
    try (OutputStream members = Files.newOutputStream(all)) {
      for (String size : sizes) {
        Path file = Files.write(folder.resolve("in"), large);
        Program part = dpu("compress", "-q", "-b", size, "-o", "-", file);
        assertThat(part.status()).as(part.err()).isZero();
        Files.copy(part.outFile(), members);
      }
    }
    Program back = stream(all, Map.of(), "decompress", "-q", "-o", folder.resolve("back"), "-");
    assertThat(back.status()).as(back.err()).isZero();
    byte[] expected = new byte[sizes.size() * large.length];
    IntStream.range(0, sizes.size())
        .forEach(i -> System.arraycopy(large, 0, expected, i * large.length, large.length));
    assertThat(folder.resolve("back")).hasBinaryContent(expected);
    Program limited = stream(all, Map.of(), "decompress", "--max-member", "2M", "-");
    assertThat(limited.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(limited.err()).hasLineCount(1).contains("standard input: ", "too large");
  }

  @ParameterizedTest
  @CsvSource({"compress-deflate", "decompress-deflate"})
  void aStreamGetsVerifiedBlocksOnly(String kind) throws Exception {
    Path file = Files.write(folder.resolve("text"), TEXT);
    Program there = stream(file, Map.of(), "compress", "-q", "-b", "64K", "-");
    assertThat(there.status()).as(there.err()).isZero();
    boolean compresses = kind.startsWith("compress");
    Map<String, String> faults = Map.of("SOFTDPU_FAULTS", kind + ":corrupt:nth=5");
    Program wrong =
        compresses
            ? stream(file, faults, "compress", "-b", "64K", "-")
            : stream(there.outFile(), faults, "decompress", "-");
    assertThat(wrong.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(wrong.err()).hasLineCount(1).contains("standard input: block 4: ");
    byte[] written = Files.readAllBytes(wrong.outFile());
    byte[] whole = compresses ? Files.readAllBytes(there.outFile()) : TEXT;
    assertThat(whole).startsWith(written);
    assertThat(written).hasSizeLessThan(whole.length);
  }

  @Test
  void aReaderThatClosesThePipeEndsTheProgramWithoutAMessage() throws Exception {
    Path file = Files.write(folder.resolve("noise"), noise(64 * BLOCK));
    Program run =
        Program.of(
            logs,
            List.of("bash", "-c", "\"$@\" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}", "bash"),
            Program.command(List.of(), "compress", "-q", "-o", "-", file));
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.BROKEN_PIPE.status());
    assertThat(run.err()).isEmpty();
  }

  /** The reader ends before the program has started. */
  @Test
  void aTableForAReaderThatHasEndedIsNoSuccess() throws Exception {
    Program run =
        Program.of(
            logs,
            List.of("bash", "-c", "\"$@\" | :; exit ${PIPESTATUS[0]}", "bash"),
            Program.command(List.of(), "devices"));
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.BROKEN_PIPE.status());
    assertThat(run.err()).isEmpty();
  }

  @Test
  void aSignalEndsTheWaitForStandardInput() throws Exception {
    Program run =
        Program.dpuThatListens(logs, Map.of(), "compress", "-o", folder.resolve("out.gz"), "-");
    awaitPartialFile(run, List.of());
    run.process().toHandle().destroy(); // Process.destroy() also ends standard input
    assertThat(run.status()).isEqualTo(ExitCode.TERMINATED.status());
    assertThat(run.err()).hasLineCount(1).contains("interrupted");
    assertThat(names()).isEmpty();
  }
}
