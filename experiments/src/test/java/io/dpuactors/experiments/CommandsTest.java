package io.dpuactors.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.apps.Dpu;
import io.dpuactors.apps.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The commands of this module, run in this process. */
class CommandsTest {
  @TempDir Path folder;

  private record Cli(int status, String out, String err) {
    static Cli run(Object... arguments) {
      String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
      CommandLine line = Dpu.commandLine(words);
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      line.setOut(new PrintWriter(out, true));
      line.setErr(new PrintWriter(err, true));
      return new Cli(line.execute(words), out.toString(), err.toString());
    }
  }

  @Test
  void helpShowsExamples() {
    assertThat(Cli.run("--help").out()).contains("experiment").doesNotContain("compress-blocks");
    Cli help = Cli.run("experiment", "--help");
    assertThat(help.status()).isZero();
    assertThat(help.out())
        .contains(
            "compression, comch, dma, rdma", "--resume", "software DPU", "Exit status", "Examples");
    assertThat(Cli.run("compress-blocks", "--help").out()).contains("Exit status", "--paced");
  }

  static Stream<List<String>> wrongUse() {
    return Stream.of(
        List.of("experiment"),
        List.of("experiment", "sha"),
        List.of("experiment", "dma", "comch"),
        List.of("experiment", "dma", "--trials", "0"),
        List.of("experiment", "dma", "--trials", "100001"),
        List.of("experiment", "dma", "--trials", "many"),
        List.of("experiment", "dma", "--trial-limit", "0"),
        List.of("experiment", "dma", "--warm", "--cold"),
        List.of("experiment", "dma", "--fly"),
        List.of("compress-blocks"),
        List.of("compress-blocks", "--parallel", "0", "a"),
        List.of("compress-blocks", "--trials", "0", "a"));
  }

  @ParameterizedTest
  @MethodSource
  void wrongUse(List<String> words) {
    Cli wrong = Cli.run(words.toArray());
    assertThat(wrong.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(wrong.err()).startsWith("dpu: ").contains("--help").hasLineCount(1);
    assertThat(wrong.out()).isEmpty();
  }

  @Test
  void withoutALauncherThereIsNoExperiment() {
    String root = System.clearProperty("dpu.root");
    try {
      Cli run = Cli.run("experiment", "dma", "--out", folder);
      assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
      assertThat(run.err()).contains("start with its ./dpu").hasLineCount(1);
    } finally {
      if (root != null) {
        System.setProperty("dpu.root", root);
      }
    }
  }

  @Test
  void blocksAreDeflatedAsOftenAsWanted() throws IOException {
    byte[] text = "all work and no play\n".repeat(1000).getBytes(StandardCharsets.US_ASCII);
    int blocks = 5;
    int blockBytes = 4096;
    Path file = blocks(text, blocks, blockBytes);
    Cli run = Cli.run("compress-blocks", "-p", 2, "--trials", 3, "-Ddpu.library=softdpu", file);
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(3);
    int folded = 0;
    for (int i = 0; i < blocks; i++) {
      CRC32 crc = new CRC32();
      crc.update(text, i * blockBytes, blockBytes);
      folded = 31 * folded + (int) crc.getValue();
    }
    for (int i = 0; i < 3; i++) {
      JsonNode json = new ObjectMapper().readTree(lines.get(i));
      assertThat(json.at("/trial").asInt()).isEqualTo(i + 1);
      assertThat(json.at("/elapsed_us").asDouble()).isPositive();
      assertThat(json.at("/data_rate_gibps").asDouble()).isPositive();
      assertThat(json.at("/bytes_out").asInt()).isBetween(blocks * 20, blocks * blockBytes / 4);
      assertThat(json.at("/checksum").asText()).isEqualTo("%08x".formatted(folded));
      assertThat(json.at("/device").asText()).isEqualTo("software DPU");
    }
  }

  @Test
  void filesOfAnotherFormatAreRefused() throws IOException {
    Path file = blocks(new byte[20], 2, 10);
    Files.write(file, new byte[] {1, 0, 0, 0, 9, 0, 0, 0, 7});
    Cli shorter = Cli.run("compress-blocks", file);
    assertThat(shorter.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(shorter.err()).contains("9 bytes, but its header says 17").hasLineCount(1);
    Cli absent = Cli.run("compress-blocks", folder.resolve("absent"));
    assertThat(absent.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(absent.err())
        .isEqualToIgnoringNewLines(
            "dpu: " + folder.resolve("absent") + ": no such file or directory");
  }

  /** No process can create a folder in /proc, and the JDK's message is only the name. */
  @Test
  void aFolderThatCannotBeCreatedIsReportedWithTheCause() throws IOException {
    Path script = Files.createDirectories(folder.resolve("scripts")).resolve("build-plain-c");
    Files.setPosixFilePermissions(
        Files.createFile(script), PosixFilePermissions.fromString("rwxr-xr-x"));
    String root = System.setProperty("dpu.root", folder.toString());
    try {
      Cli run = Cli.run("experiment", "dma", "--out", "/proc/absent");
      assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
      assertThat(run.err())
          .isEqualToIgnoringNewLines(
              "dpu: experiment dma: /proc/absent: no such file or directory");
    } finally {
      if (root == null) {
        System.clearProperty("dpu.root");
      } else {
        System.setProperty("dpu.root", root);
      }
    }
  }

  private Path blocks(byte[] content, int blocks, int blockBytes) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8 + blocks * blockBytes).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(blocks).putInt(blockBytes).put(content, 0, blocks * blockBytes);
    return Files.write(folder.resolve("blocks"), bytes.array());
  }
}
