package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.SecondJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that many copies and many imports leak nothing. {@code -Ddpu.test.long=true} multiplies
 * their number by fifty.
 */
class MemoryLoadTest {
  private static final boolean LONG = Boolean.getBoolean("dpu.test.long");
  private static final int COPIES = LONG ? 250_000 : 5_000;
  private static final int CYCLES = LONG ? 5_000 : 100;
  private static final int ROUNDS = 5;
  private static final long LIMIT_S = LONG ? 800 : 50;

  /** bound per round: less than a page per cycle, or 64 bytes per copy */
  private static final long LEAK_KIB = 256;

  private static final Pattern ROUND = Pattern.compile("(\\w+) descriptors (-?\\d+) kib (-?\\d+)");

  private record Round(String what, long descriptors, long kib) {
    static Stream<Round> of(String line) {
      return ROUND
          .matcher(line)
          .results()
          .map(
              round ->
                  new Round(
                      round.group(1),
                      Long.parseLong(round.group(2)),
                      Long.parseLong(round.group(3))));
    }
  }

  @Test
  @Timeout(850)
  void memoryAndDescriptorsStayAsTheyAre(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process program =
        SecondJvm.of(
                List.of("-Xms48m", "-Xmx48m", "-XX:+AlwaysPreTouch"),
                MemoryLoad.class,
                COPIES,
                CYCLES,
                ROUNDS)
            .redirectOutput(output.toFile())
            .start();
    if (!program.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
      program.destroyForcibly();
      throw new AssertionError("still running: " + Files.readString(output));
    }
    List<String> lines = Files.readAllLines(output);
    assertThat(program.exitValue()).as("%s", lines).isZero();
    assertThat(lines).endsWith("exporter's census 1 DEVICE", "census empty");
    for (String what : List.of("copies", "cycles", "exporter")) {
      assertNothingLeaks(what, lines);
    }
  }

  /**
   * A leak shows in each round. The allocator, the compiler and class loading grow in some rounds
   * only; on a loaded machine, also in late rounds.
   */
  private static void assertNothingLeaks(String what, List<String> lines) {
    List<Round> rounds =
        lines.stream().flatMap(Round::of).filter(round -> round.what().equals(what)).toList();
    assertThat(rounds).as("%s", lines).hasSize(ROUNDS);
    assertThat(rounds).as("descriptors").anyMatch(round -> round.descriptors() <= 0);
    assertThat(rounds).as("memory").anyMatch(round -> round.kib() < LEAK_KIB);
  }
}
