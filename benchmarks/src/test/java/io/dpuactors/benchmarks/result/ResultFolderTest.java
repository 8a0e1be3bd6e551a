package io.dpuactors.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that results, with their failures, are the same after a write and a read. */
class ResultFolderTest {
  @TempDir private Path folder = Path.of("");

  private static RunResult result() {
    List<Trial> trials =
        List.of(
            new Trial(1, new Sample(300.0, null, 0.5, 170.0, null), Sample.of(200.0)),
            new Trial(2, Sample.failed("the device is gone"), Sample.of(210.0)),
            new Trial(3, Sample.of(500.0), Sample.of(200.0)));
    PointResult point =
        new PointResult("p", "a point", Metric.NS, Map.of("window", "64"), trials, 2, 80.0, null);
    return new RunResult(
        "null-task", "tasks", "software DPU", true, Map.of("jdk", "17"), 0.5, List.of(point));
  }

  @Test
  void readReturnsWhatWasWritten() throws IOException {
    ResultFolder.write(folder, result());
    assertThat(ResultFolder.read(folder)).containsExactly(result());
    assertThat(Files.readString(folder.resolve("null-task.json")))
        .contains("\"median\" : 2.0", "software DPU");
  }

  /** Earlier versions did not write whether a run was quick. */
  @Test
  void aResultWithoutTheMemberIsNotQuick() throws IOException {
    ResultFolder.write(folder, result());
    Path file = folder.resolve("null-task.json");
    String json = Files.readString(file);
    assertThat(json).contains("\"quick\" : true,");
    Files.writeString(file, json.replace("\"quick\" : true,", ""));
    assertThat(ResultFolder.read(folder).get(0).quick()).isFalse();
  }

  @Test
  void aFailedTrialIsMarkedAndNoPairHasIt() throws IOException {
    PointResult point = result().points().get(0);
    assertThat(point.failures()).isEqualTo(1);
    assertThat(point.comparison().ratio().count()).isEqualTo(2);
    assertThat(point.comparison().ratio().median()).isEqualTo(2.0);
    assertThat(point.bytesPerTask().mean()).isEqualTo(170.0);
    assertThat(point.cpuPerGib(Side.ACTORS)).isEqualTo(0.25);
    assertThat(result().isGood()).isFalse();
    ResultFolder.write(folder, result());
    assertThat(Files.readAllLines(folder.resolve("null-task.tsv")))
        .hasSize(4)
        .anyMatch(line -> line.contains("\t2\tfailed\t210.0\t\t"));
  }

  @Test
  void aResultWithoutPointsIsNotGood() {
    RunResult empty =
        new RunResult("micro", "steps", "software DPU", false, Map.of(), 0, List.of());
    assertThat(empty.isGood()).isFalse();
  }
}
