package io.dpuactors.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.benchmarks.measure.Processes;
import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.Progress;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.benchmarks.result.ResultFolder;
import io.dpuactors.benchmarks.result.RunResult;
import io.dpuactors.benchmarks.run.Bench;
import io.dpuactors.benchmarks.run.Scenario;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs scenarios that start no program. */
class BenchRunTest {
  @TempDir private Path folder = Path.of("");

  private static List<PointResult> points() {
    List<Trial> trials = List.of(new Trial(1, Sample.of(2), Sample.of(1)));
    return List.of(PointResult.of("point", "a point", Metric.NS, Map.of(), trials));
  }

  private boolean run(double load, Scenario... scenarios) throws Exception {
    PrintWriter out = new PrintWriter(new StringWriter());
    Programs programs = new Programs(List.of("dpu"), folder);
    Path logs = folder.resolve("logs");
    try (Processes processes = Processes.open(logs)) {
      Bench bench = new Bench(folder, programs, 1, true, logs, processes, new Progress(out));
      return BenchRun.run(bench, List.of(scenarios), load, folder, out);
    }
  }

  /** The programs of a scenario cause a part of the load that the next scenario would measure. */
  @Test
  void allScenariosHaveTheLoadBeforeTheRun() throws Exception {
    Scenario first = new Scenario("first", "the first", bench -> points());
    Scenario second = new Scenario("second", "the second", bench -> points());
    assertThat(run(0.125, first, second)).isTrue();
    assertThat(ResultFolder.read(folder))
        .extracting(RunResult::loadBefore)
        .containsExactly(0.125, 0.125);
  }

  /** A signal kills the programs of a scenario, so that their trials say nothing. */
  @Test
  void anInterruptedScenarioHasNoResult() throws Exception {
    Scenario first = new Scenario("first", "the first", bench -> points());
    Scenario ended =
        new Scenario(
            "ended",
            "ends in spite of the signal",
            bench -> {
              bench.processes().interrupt();
              return points();
            });
    Scenario failed =
        new Scenario(
            "failed",
            "fails because of the signal",
            bench -> {
              bench.processes().interrupt();
              throw new RunException("ended without a result, with status 143");
            });
    for (Scenario interrupted : List.of(ended, failed)) {
      assertThatThrownBy(() -> run(0, first, interrupted)).isInstanceOf(InterruptedException.class);
      assertThat(ResultFolder.read(folder))
          .extracting(RunResult::benchmark)
          .containsExactly("first");
    }
  }
}
