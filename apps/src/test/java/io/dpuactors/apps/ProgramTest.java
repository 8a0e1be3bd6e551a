package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dpuactors.apps.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests files, faults and signals of the program in a separate process, with other gzip programs.
 */
class ProgramTest extends ProgramFixture {
  private List<Object> writeAll(String... words) throws IOException {
    List<Object> command = new ArrayList<>(List.of(words));
    for (Map.Entry<String, byte[]> content : contents().entrySet()) {
      command.add(Files.write(folder.resolve(content.getKey()), content.getValue()));
    }
    return command;
  }

  @Test
  void everyGzipReadsWhatIsWritten() throws Exception {
    Program compress =
        dpu(writeAll("compress", "--block-size", "64K", "--engines", "2", "--verify").toArray());
    assertThat(compress.status()).as(compress.err()).isZero();
    assertThat(compress.err()).isEmpty();
    assertThat(compress.out().lines()).hasSize(contents().size());
    assertThat(compress.out()).doesNotContain("\r", "\u001b");
    List<Object> back = new ArrayList<>(List.of("decompress", "--force", "--json"));
    for (Map.Entry<String, byte[]> content : contents().entrySet()) {
      String packed = folder.resolve(content.getKey() + ".gz").toString();
      back.add(packed);
      readBy(content.getValue(), "gzip", "-dc", packed);
      assertThat(Program.of(logs, "gzip", "-t", packed).status()).isZero();
      if (Program.exists("python3")) {
        readBy(
            content.getValue(),
            "python3",
            "-c",
            "import gzip,sys; sys.stdout.buffer.write(gzip.open(sys.argv[1]).read())",
            packed);
      }
    }
    Program decompress = dpu(back.toArray());
    assertThat(decompress.status()).as(decompress.err()).isZero();
    for (Map.Entry<String, byte[]> content : contents().entrySet()) {
      assertThat(folder.resolve(content.getKey())).hasBinaryContent(content.getValue());
    }
  }

  @Test
  void gzipOfOthersIsRefusedWithAdvice() throws Exception {
    Path file = Files.write(folder.resolve("a"), text(1000));
    assertThat(Program.of(logs, "gzip", file.toString()).status()).isZero();
    Program run = dpu("decompress", folder.resolve("a.gz"));
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(run.err()).hasLineCount(1).contains("a.gz", "use gunzip");
    assertThat(names()).containsExactly("a.gz");
  }

  @ParameterizedTest
  @CsvSource({
    "compress-deflate:fail=IO_FAILED:nth=1, 1",
    "compress-deflate:fail=IO_FAILED:nth=20, 1",
    "compress-deflate:fail=NO_MEMORY:nth=41, 1",
    "decompress-deflate:fail=IO_FAILED:nth=7, 1",
    "compress-deflate:corrupt:nth=5, 1",
    "decompress-deflate:corrupt:nth=5, 1",
    "compress-deflate:lost:nth=9, 1",
    "compress-deflate:again=5:every=4, 0",
    "*:delay=20ms:every=10, 0"
  })
  void afterEveryFaultThereIsAWholeOutputOrNone(String faults, int status) throws Exception {
    Path file = Files.write(folder.resolve("text"), TEXT);
    Program run =
        Program.dpu(
            logs,
            Map.of("SOFTDPU_FAULTS", faults),
            List.of(),
            "compress",
            "--verify",
            "-b",
            "64K",
            file);
    assertThat(run.status()).as(run.err()).isEqualTo(status);
    if (status == 0) {
      assertThat(run.err()).isEmpty();
      readBy(TEXT, "gzip", "-dc", folder.resolve("text.gz").toString());
    } else {
      assertThat(run.err()).hasLineCount(1).contains("text: block ");
      assertThat(run.out()).isEmpty();
      assertThat(names()).containsExactly("text");
    }
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void aSignalLeavesNothing(String signal, int status) throws Exception {
    Path file = Files.write(folder.resolve("text"), TEXT);
    Program run =
        Program.dpu(
            logs,
            Map.of("SOFTDPU_FAULTS", "compress-deflate:delay=3s:nth=20"),
            List.of(),
            "compress",
            "-b",
            "64K",
            file);
    awaitPartialFile(run, List.of());
    String pid = String.valueOf(run.process().pid());
    assertThat(Program.of(logs, "kill", "-" + signal, pid).status()).isZero();
    assertThat(run.status()).as(run.err()).isEqualTo(status);
    assertThat(names()).containsExactly("text");
    assertThat(run.err()).contains("interrupted");
  }

  /** Starts a run that has created its partial output, and takes seconds to finish. */
  private Program startedSlowly(String name) throws Exception {
    List<String> before = names();
    Program run =
        Program.dpu(
            logs,
            Map.of("SOFTDPU_FAULTS", "compress-deflate:delay=3s:nth=20"),
            List.of(),
            "compress",
            "-b",
            "64K",
            "-o",
            folder.resolve(name),
            folder.resolve("text"));
    awaitPartialFile(run, before);
    return run;
  }

  @Test
  void aRunRemovesFilesOfKilledRunsAndKeepsThoseOfLiveRuns() throws Exception {
    Path file = Files.write(folder.resolve("text"), TEXT);
    Program killed = startedSlowly("killed.gz");
    killed.process().destroyForcibly().waitFor();
    List<String> left = names();
    assertThat(left).hasSize(2).contains("text");
    Program live = startedSlowly("live.gz");
    Program next = dpu("compress", "-o", folder.resolve("next.gz"), file);
    assertThat(next.status()).as(next.err()).isZero();
    assertThat(next.err()).isEmpty();
    assertThat(live.status()).as(live.err()).isZero();
    assertThat(names()).containsExactly("live.gz", "next.gz", "text");
    readBy(TEXT, "gzip", "-dc", folder.resolve("live.gz").toString());
  }

  @Test
  void aFullDiskIsAClearError() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    boolean mounted =
        Program.exists("mount")
            && Program.of(logs, "mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", disk.toString())
                    .status()
                == 0;
    assumeThat(mounted).as("needs a small file system, and the right to mount one").isTrue();
    try {
      Path file = Files.write(folder.resolve("noise"), noise(16 * BLOCK));
      Program run = dpu("compress", "-b", "64K", "-o", disk.resolve("out.gz"), file);
      assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
      assertThat(run.err()).hasLineCount(1).contains("out.gz", "disk full");
      try (Stream<Path> left = Files.list(disk)) {
        assertThat(left).isEmpty();
      }
    } finally {
      assertThat(Program.of(logs, "umount", disk.toString()).status()).isZero();
    }
  }

  @Test
  void debuggingShowsWhatIsInside() throws Exception {
    Path file = Files.write(folder.resolve("a"), text(10));
    Program run = dpu("compress", "--debug", "-o", folder.resolve("no/where"), file);
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(run.err()).contains("no such directory", "NoSuchFileException", "\tat ");
  }
}
