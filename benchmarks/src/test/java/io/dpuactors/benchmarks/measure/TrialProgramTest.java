package io.dpuactors.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialProgramTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir private Path logs = Path.of("");

  private TrialProgram.Start script(String script) {
    return () ->
        Child.start(List.of("sh", "-c", script), Map.of("VALUE", "7"), logs.resolve("err"));
  }

  private TrialProgram warm(String script) {
    return TrialProgram.warm(
        script(script), (line, seconds) -> Sample.of(Sample.figure(line, "value")), 1, LIMIT);
  }

  @Test
  void aTrialIsTheJsonThatItsTurnPrints() throws Exception {
    try (TrialProgram program =
        warm("echo hello; while read turn; do echo '{\"value\":'$VALUE'}'; done")) {
      Sample sample = program.run();
      assertThat(sample.value()).isEqualTo(7.0);
      assertThat(sample.cpuSeconds()).isNotNegative();
      assertThat(program.peakMib()).isPositive();
      assertThat(program.finish()).isEmpty();
    }
  }

  @Test
  void aProgramThatEndsHasFailed() throws InterruptedException {
    try (TrialProgram program = warm("read turn; echo 'out of order' >&2; exit 3")) {
      assertThat(program.run().failure()).contains("status 3", "out of order");
    }
  }

  @Test
  void aLineWithoutTheFigureIsAFailure() throws InterruptedException {
    try (TrialProgram program = warm("while read turn; do echo '{}'; done")) {
      assertThat(program.run().failure()).isEqualTo("printed no value: {}");
    }
  }

  /** Lines that are no result do not change the limit in the message. */
  @Test
  void aProgramWithoutAResultIsReportedWithTheLimit() throws Exception {
    try (Child child = script("echo hello; exec sleep 60").start()) {
      assertThatThrownBy(() -> child.nextJson(Duration.ofSeconds(1)))
          .isInstanceOf(RunException.class)
          .hasMessage("nothing within 1 s");
    }
  }

  @Test
  void aColdTrialIncludesTheStartOfItsProcess() throws InterruptedException {
    try (TrialProgram program =
        TrialProgram.cold(script("echo '{}'"), (line, seconds) -> Sample.of(seconds), LIMIT)) {
      assertThat(program.run().value()).isPositive();
    }
  }
}
