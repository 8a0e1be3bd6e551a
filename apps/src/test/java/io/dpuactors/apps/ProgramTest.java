package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the program end to end in a separate process, and compares it with other gzip programs. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ProgramTest {
  private static final int BLOCK = 64 << 10;
  private static final byte[] TEXT = text(40 * BLOCK + 1);

  @TempDir Path folder;
  @TempDir Path logs;

  private final Map<String, byte[]> contents = new LinkedHashMap<>();

  @BeforeEach
  void contents() {
    contents.put("empty", new byte[0]);
    contents.put("one", new byte[] {'x'});
    contents.put("zeros", new byte[3 * BLOCK]);
    contents.put("noise", noise(2 * BLOCK + 17));
    contents.put("text", TEXT);
    for (int size : new int[] {BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK}) {
      contents.put("edge" + size, text(size));
    }
  }

  private static byte[] noise(int bytes) {
    byte[] noise = new byte[bytes];
    new Random(1).nextBytes(noise);
    return noise;
  }

  private static byte[] text(int bytes) {
    byte[] text = new byte[bytes];
    Random random = new Random(bytes);
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) "etaoin shrdlu\n".charAt(random.nextInt(14));
    }
    return text;
  }

  private Program dpu(Object... words) throws IOException {
    return Program.dpu(logs, Map.of(), List.of(), words);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  private List<Object> writeAll(String... words) throws IOException {
    List<Object> command = new ArrayList<>(List.of(words));
    for (Map.Entry<String, byte[]> content : contents.entrySet()) {
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
    assertThat(compress.out().lines()).hasSize(contents.size());
    assertThat(compress.out()).doesNotContain("\r", "\u001b");
    List<Object> back = new ArrayList<>(List.of("decompress", "--force", "--json"));
    for (Map.Entry<String, byte[]> content : contents.entrySet()) {
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
    for (Map.Entry<String, byte[]> content : contents.entrySet()) {
      assertThat(folder.resolve(content.getKey())).hasBinaryContent(content.getValue());
    }
  }

  private void readBy(byte[] content, String... command) throws Exception {
    Program program = Program.of(logs, command);
    assertThat(program.status()).as(program.err()).isZero();
    assertThat(program.outFile()).hasBinaryContent(content);
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
    while (names().stream().noneMatch(n -> n.endsWith(".part"))) {
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
      Thread.onSpinWait();
    }
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
    while (names().stream().noneMatch(n -> n.endsWith(".part") && !before.contains(n))) {
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
      Thread.onSpinWait();
    }
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

  private Program stream(Path input, Map<String, String> environment, Object... words)
      throws IOException {
    return Program.dpuThatReads(logs, environment, input, words);
  }

  @Test
  void aStreamRoundTrips() throws Exception {
    for (Map.Entry<String, byte[]> content : contents.entrySet()) {
      Path file = Files.write(folder.resolve("in"), content.getValue());
      Program there = stream(file, Map.of(), "compress", "-b", "64K", "-");
      assertThat(there.status()).as(there.err()).isZero();
      assertThat(there.err()).hasLineCount(1).startsWith("- -> -: ");
      readBy(content.getValue(), "gzip", "-dc", there.outFile().toString());
      Program back = stream(there.outFile(), Map.of(), "decompress", "-q", "-");
      assertThat(back.status()).as(back.err()).isZero();
      assertThat(back.err()).isEmpty();
      assertThat(back.outFile()).hasBinaryContent(content.getValue());
    }
    assertThat(names()).containsExactly("in");
  }

  @Test
  void membersOfAStreamMayGrow() throws Exception {
    byte[] large = new byte[40 << 20];
    System.arraycopy(noise(3 << 20), 0, large, 20 << 20, 3 << 20);
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

  @Test
  void aSignalEndsTheWaitForStandardInput() throws Exception {
    Program run =
        Program.dpuThatListens(logs, Map.of(), "compress", "-o", folder.resolve("out.gz"), "-");
    while (names().stream().noneMatch(n -> n.endsWith(".part"))) {
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
      Thread.onSpinWait();
    }
    long begin = System.nanoTime();
    run.process().destroy();
    assertThat(run.status()).isEqualTo(ExitCode.TERMINATED.status());
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
    assertThat(run.err()).hasLineCount(1).contains("interrupted");
    assertThat(names()).isEmpty();
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
  void aBrokenConfigurationIsNamedWithItsLine() throws Exception {
    Path file = Files.write(folder.resolve("a"), text(10));
    Path config =
        Files.writeString(
            folder.resolve("bad.conf"), "dpu {\n  library = softdpu\n  engine = [\n}\n");
    Program run = Program.dpu(logs, Map.of(), List.of("-Dconfig.file=" + config), "compress", file);
    assertThat(run.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(run.err()).hasLineCount(1).contains("bad.conf: 4");
  }

  @ParameterizedTest
  @CsvSource({
    "-Ddpu.library=fly, fly",
    "-Ddpu.engine.idle=never, never",
    "-Ddpu.engine.submission-ring=3, submission-ring",
    "-Ddpu.compress.window=0, dpu.compress.window",
    "-Ddpu.compress.window=many, dpu.compress.window",
    "-Ddpu.compress.queue=many, dpu.compress.queue",
    "-Ddpu.compress.deadline=1x, dpu.compress.deadline"
  })
  void aSettingThatCannotBeIsWrongUse(String option, String named) throws Exception {
    Path file = Files.write(folder.resolve("a"), text(10));
    Program run = dpu("compress", option, file);
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(run.err()).hasLineCount(1).contains(named);
  }

  @ParameterizedTest
  @CsvSource({"compress", "devices", "client"})
  void aKeyThatDoesNotExistIsNamedWithItsLine(String command) throws Exception {
    List<Object> words = new ArrayList<>(List.of(command));
    words.addAll(
        switch (command) {
          case "compress" -> List.of(Files.write(folder.resolve("a"), text(10)));
          case "client" -> List.of("ping");
          default -> List.of();
        });
    Path config =
        Files.writeString(
            folder.resolve("own.conf"), "dpu {\n  engine {\n    idel = busy\n }\n}\n");
    Program file = Program.dpu(logs, Map.of(), List.of("-Dconfig.file=" + config), words.toArray());
    assertThat(file.status()).as(file.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(file.err())
        .hasLineCount(1)
        .startsWith("dpu: configuration: ")
        .contains("own.conf: 3: there is no key dpu.engine.idel; did you mean dpu.engine.idle?");
    words.add("-Ddpu.libary=softdpu");
    Program option = dpu(words.toArray());
    assertThat(option.status()).as(option.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(option.err())
        .isEqualToIgnoringNewLines(
            "dpu: configuration: system properties: there is no key dpu.libary; did you mean dpu.library?");
  }

  @Test
  void referencesToDefaultsResolveWithoutAnEngine() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("own.conf"),
            "dpu { library = softdpu, dma.window = ${dpu.compress.window}, lease.debug = true }");
    Program devices = Program.dpu(logs, Map.of(), List.of("-Dconfig.file=" + config), "devices");
    assertThat(devices.status()).as(devices.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(devices.err())
        .hasLineCount(1)
        .contains("own.conf: 1: there is no key dpu.lease.debug", "-Ddpu.lease.debug=...");
    Files.writeString(config, "dpu { library = softdpu, dma.window = ${dpu.compress.window} }");
    Program again = dpu("devices", "-Dconfig.file=" + config, "-Ddpu.lease.debug=true", "--json");
    assertThat(again.status()).as(again.err()).isZero();
  }

  @Test
  void debuggingShowsWhatIsInside() throws Exception {
    Path file = Files.write(folder.resolve("a"), text(10));
    Program run = dpu("compress", "--debug", "-o", folder.resolve("no/where"), file);
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(run.err()).contains("no such directory", "NoSuchFileException", "\tat ");
  }
}
