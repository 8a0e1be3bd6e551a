package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Folders, inputs and helpers of the tests that run the program in a separate process. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
abstract class ProgramFixture {
  static final int BLOCK = 64 << 10;
  static final byte[] TEXT = text(40 * BLOCK + 1);

  @TempDir Path folder;
  @TempDir Path logs;

  static Map<String, byte[]> contents() {
    Map<String, byte[]> contents = new LinkedHashMap<>();
    contents.put("empty", new byte[0]);
    contents.put("one", new byte[] {'x'});
    contents.put("zeros", new byte[3 * BLOCK]);
    contents.put("noise", noise(2 * BLOCK + 17));
    contents.put("text", TEXT);
    for (int size : new int[] {BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK}) {
      contents.put("edge" + size, text(size));
    }
    return contents;
  }

  static byte[] noise(int bytes) {
    byte[] noise = new byte[bytes];
    new Random(1).nextBytes(noise);
    return noise;
  }

  static byte[] text(int bytes) {
    byte[] text = new byte[bytes];
    Random random = new Random(bytes);
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) "etaoin shrdlu\n".charAt(random.nextInt(14));
    }
    return text;
  }

  Program dpu(Object... words) throws IOException {
    return Program.dpu(logs, Map.of(), List.of(), words);
  }

  List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  /** Waits until a running program has created a partial file besides those of before. */
  void awaitPartialFile(Program run, List<String> before) throws IOException {
    while (names().stream().noneMatch(n -> n.endsWith(".part") && !before.contains(n))) {
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
      Thread.onSpinWait();
    }
  }

  void readBy(byte[] content, String... command) throws Exception {
    Program program = Program.of(logs, command);
    assertThat(program.status()).as(program.err()).isZero();
    assertThat(program.outFile()).hasBinaryContent(content);
  }
}
