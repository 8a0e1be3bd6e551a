package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the memory of a program does not grow with its input. The program reads a pipe, so
 * that the test can measure its memory after a known part. The heap has its full size at once.
 */
class BoundedMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int FIRST_MIB = 32;
  private static final int SECOND_MIB = 96;
  private static final int BOUND_MIB = 32;
  private static final List<String> SMALL_HEAP =
      List.of("-Xms40m", "-Xmx40m", "-XX:+AlwaysPreTouch");

  @TempDir Path folder;
  @TempDir Path logs;

  private Path file;

  @BeforeEach
  void createKeyAndFile() throws IOException {
    assertThat(Cli.run("key", "-q", "-o", folder.resolve("KEY")).status()).isZero();
    file = folder.resolve("file");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength((FIRST_MIB + SECOND_MIB) * (long) MIB);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hash -",
        "encrypt -q -k KEY -",
        "compress --encrypt -q -k KEY -",
        "ec encode -q --data 4 --parity 2 -o PARTS -"
      })
  void memoryDoesNotGrowWithTheInput(String words) throws Exception {
    try (InputStream zeros = Files.newInputStream(file)) {
      checkMemory(words, zeros);
    }
  }

  @Test
  void memoryDoesNotGrowWithTheEncryptedInput() throws Exception {
    assertThat(Cli.run("encrypt", "-q", "-k", folder.resolve("KEY"), file).status()).isZero();
    try (InputStream encrypted = Files.newInputStream(folder.resolve("file.dpe"))) {
      checkMemory("decrypt -q -k KEY -", encrypted);
    }
  }

  /** The file has random bytes, because compressed zeros are short. */
  @Test
  void memoryDoesNotGrowWithTheEncryptedCompressedInput() throws Exception {
    Random random = new Random(1);
    byte[] noise = new byte[MIB];
    try (OutputStream to = Files.newOutputStream(file)) {
      for (int i = 0; i < FIRST_MIB + SECOND_MIB; i++) {
        random.nextBytes(noise);
        to.write(noise);
      }
    }
    Path key = folder.resolve("KEY");
    Path packed = folder.resolve("packed");
    assertThat(Cli.run("compress", "--encrypt", "-q", "-k", key, "-o", packed, file).status())
        .isZero();
    try (InputStream encrypted = Files.newInputStream(packed)) {
      checkMemory("decompress -q -k KEY -", encrypted);
    }
  }

  /** The program writes a pipe: it waits while the test measures. Two lost parts are restored. */
  @Test
  void memoryDoesNotGrowWithTheRecoveredFile() throws Exception {
    Path parts = folder.resolve("PARTS");
    assertThat(
            Cli.run("ec", "encode", "-q", "--data", 4, "--parity", 2, "-o", parts, file).status())
        .isZero();
    try (Stream<Path> all = Files.list(parts)) {
      for (Path lost : all.sorted().limit(2).toList()) {
        Files.delete(lost);
      }
    }
    Path pipe = folder.resolve("pipe");
    assertThat(Program.of(logs, "mkfifo", pipe.toString()).status()).isZero();
    Program program =
        Program.of(
            logs,
            List.of("sh", "-c", "exec \"$@\" > \"$0\"", pipe.toString()),
            Program.command(SMALL_HEAP, "ec", "recover", "-q", "-o", "-", parts));
    try (InputStream from = Files.newInputStream(pipe)) {
      copy(from, OutputStream.nullOutputStream(), FIRST_MIB);
      long first = peakMib(program);
      copy(from, OutputStream.nullOutputStream(), SECOND_MIB - 1);
      assertThat(peakMib(program) - first).as("growth in MiB").isLessThan(BOUND_MIB);
      copy(from, OutputStream.nullOutputStream(), 1);
      assertThat(from.read()).isNegative();
    }
    assertThat(program.status()).as(program.err()).isZero();
  }

  private void checkMemory(String words, InputStream input) throws Exception {
    Program program = start(words);
    try (OutputStream to = program.process().getOutputStream()) {
      copy(input, to, FIRST_MIB);
      long first = peakMib(program);
      copy(input, to, SECOND_MIB);
      assertThat(peakMib(program) - first).as("growth in MiB").isLessThan(BOUND_MIB);
      input.transferTo(to);
    }
    assertThat(program.status()).as(program.err()).isZero();
  }

  private Program start(String words) throws IOException {
    Object[] arguments =
        Stream.of(words.split(" "))
            .map(word -> word.equals("KEY") || word.equals("PARTS") ? folder.resolve(word) : word)
            .toArray();
    return Program.dpuThatListens(logs, SMALL_HEAP, arguments);
  }

  private static void copy(InputStream from, OutputStream to, int mebibytes) throws IOException {
    byte[] part = new byte[MIB];
    for (int i = 0; i < mebibytes; i++) {
      to.write(part, 0, from.readNBytes(part, 0, MIB)); // readNBytes(int) seeks in JDK 21
    }
    to.flush();
  }

  /** Returns the largest resident memory of a running program so far. */
  private static long peakMib(Program program) throws IOException {
    Path status = Path.of("/proc", Long.toString(program.process().pid()), "status");
    try (Stream<String> lines = Files.lines(status)) {
      String peak = lines.filter(line -> line.startsWith("VmHWM:")).findFirst().orElseThrow();
      return Long.parseLong(peak.replaceAll("\\D", "")) / 1024;
    }
  }
}
