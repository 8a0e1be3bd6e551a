package io.dpuactors.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.benchmarks.load.Load;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.Sample;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the list of scenarios, their command lines, and programs that fail. */
class ScenariosTest {
  @TempDir private Path logs = Path.of("");

  @Test
  void namesAreUniqueAndFound() {
    assertThat(Scenarios.all()).extracting(Scenario::name).doesNotHaveDuplicates();
    assertThat(Scenarios.find("null-task")).isPresent();
    assertThat(Scenarios.find("nothing")).isEmpty();
  }

  @Test
  void bothSidesGetTheSameGeometry() {
    Programs programs = new Programs(List.of("java", "Dpu"), Path.of("/plain"));
    Point point = Point.paired(new Load(Load.Kind.DMA, 16, 4096), 1000, false);
    String geometry = "--kind dma --window 16 --size 4096 --count 1000 --trials 3 --paced";
    assertThat(String.join(" ", programs.plain(point, 3)))
        .isEqualTo("/plain/tasks-c " + geometry + " --idle adaptive");
    assertThat(String.join(" ", programs.actors(point, 3)))
        .startsWith("java Dpu bench-tasks " + geometry)
        .endsWith("-Ddpu.engine.idle=adaptive");
  }

  private Side side(Metric metric, String script) {
    return new Side(
        List.of("sh", "-c", script), Map.of("WHAT", "7"), metric, 1, logs.resolve("err"));
  }

  @Test
  void aTrialIsTheLineThatItsTurnPrints() throws InterruptedException {
    String script =
        "echo hello; while read turn; do echo '{\"ns_per_task\":'$WHAT',\"allocated_bytes_per_task\":5}'; done";
    try (Side side = side(Metric.NS, script)) {
      Sample sample = side.run();
      assertThat(sample.value()).isEqualTo(7.0);
      assertThat(sample.bytesPerTask()).isEqualTo(5.0);
      assertThat(sample.cpuSeconds()).isNotNegative();
      assertThat(side.peakMib()).isPositive();
    }
  }

  @Test
  void aProgramThatEndsOrLiesHasFailed() throws InterruptedException {
    try (Side ends = side(Metric.NS, "read turn; echo 'out of order' >&2; exit 3")) {
      assertThat(ends.run().failure()).contains("3", "out of order");
    }
    try (Side lies = side(Metric.GIBPS, "while read turn; do echo '{}'; done")) {
      assertThat(lies.run().failure()).contains("no figure");
    }
  }
}
