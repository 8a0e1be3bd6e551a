package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.SecondJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many copies and many imports leave nothing behind. With {@code -Ddpu.test.long=true} a million
 * and ten thousand of them.
 */
class MemoryMillTest {
  private static final boolean LONG = Boolean.getBoolean("dpu.test.long");
  private static final int COPIES = LONG ? 1_000_000 : 20_000;
  private static final int CYCLES = LONG ? 10_000 : 200;
  private static final long PATIENCE_S = LONG ? 800 : 50;

  /** What the code that is still being compiled may take. */
  private static final long ROOM_KIB = 16 << 10;

  private static final Pattern USAGE =
      Pattern.compile("(\\w+) descriptors (\\d+) (\\d+) resident (\\d+) (\\d+)");

  @Test
  @Timeout(850)
  void memoryAndDescriptorsStayAsTheyAre(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process mill =
        SecondJvm.of(
                List.of("-Xms48m", "-Xmx48m", "-XX:+AlwaysPreTouch"),
                MemoryMill.class,
                COPIES,
                CYCLES)
            .redirectOutput(output.toFile())
            .start();
    if (!mill.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
      mill.destroyForcibly();
      throw new AssertionError("still running: " + Files.readString(output));
    }
    List<String> lines = Files.readAllLines(output);
    if (LONG) {
      lines.forEach(System.out::println);
    }
    assertThat(mill.exitValue()).as("%s", lines).isZero();
    assertThat(lines).hasSize(6).endsWith("exporter's census 1 DEVICE", "census empty");
    lines.subList(1, 4).forEach(MemoryMillTest::assertFlat);
  }

  private static void assertFlat(String line) {
    Matcher usage = USAGE.matcher(line);
    assertThat(usage.matches()).as(line).isTrue();
    assertThat(Long.parseLong(usage.group(3)))
        .as(line)
        .isLessThanOrEqualTo(Long.parseLong(usage.group(2)));
    assertThat(Long.parseLong(usage.group(5)))
        .as(line)
        .isLessThanOrEqualTo(Long.parseLong(usage.group(4)) + ROOM_KIB);
  }
}
