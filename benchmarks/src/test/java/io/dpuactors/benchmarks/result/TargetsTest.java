package io.dpuactors.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.report.ChartFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that each target is met, missed or not measured, and that plots show the results. */
class TargetsTest {
  @TempDir private Path folder = Path.of("");

  private static RunResult result(double actors) {
    Trial trial = new Trial(1, new Sample(actors, null, 1.0, 150.0, null), Sample.of(200.0));
    PointResult point =
        PointResult.of("dma-w64-64", "dma", Metric.NS, Map.of(), List.of(trial, trial));
    return new RunResult("null-task", "tasks", "software DPU", false, Map.of(), 0, List.of(point));
  }

  private String table(RunResult result, boolean noneMissed) throws IOException {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    assertThat(Targets.print(out, List.of(result), folder)).isEqualTo(noneMissed);
    Screen.print(out, result);
    out.flush();
    return text.toString();
  }

  @Test
  void metAndMissed() throws IOException {
    assertThat(table(result(390), true))
        .containsPattern("null task, window 64, dma +<= 2 +1.950 +met")
        .containsPattern("garbage per task, dma +<= 200 B +150.0 B +met")
        .containsPattern("null task, window 64, compress +<= 2 +- +not measured")
        .containsPattern("dma, cold +>= 0.9 +- +not measured");
    assertThat(table(result(410), false)).containsPattern("dma +<= 2 +2.050 +missed");
  }

  /** A quick run only tests the programs. */
  @Test
  void quickRunsSayNothing() throws IOException {
    RunResult slow = result(410);
    RunResult quick =
        new RunResult(
            slow.benchmark(), slow.title(), slow.device(), true, Map.of(), 0, slow.points());
    assertThat(table(quick, true))
        .containsPattern("null task, window 64, dma +<= 2 +2.050 +too few pairs")
        .containsPattern("garbage per task, dma +<= 200 B +150.0 B +too few pairs")
        .containsPattern("null task, window 64, compress +<= 2 +- +not measured");
  }

  private static PointResult point(String key, double actors, double plain) {
    Trial trial = new Trial(1, Sample.of(actors), Sample.of(plain));
    return PointResult.of(key, key, Metric.NS, Map.of(), List.of(trial, trial));
  }

  private static RunResult results(String scenario, PointResult... points) {
    return new RunResult(scenario, "tasks", "software DPU", false, Map.of(), 0, List.of(points));
  }

  @Test
  void nullTasksAreComparedWithThoseOfCompress() throws IOException {
    assertThat(table(results("null-kinds", point("sha-w64-64", 1090, 1000)), true))
        .containsPattern("compress, sha +<= 1.1 +1.090 +met");
    assertThat(table(results("null-kinds", point("sha-w64-64", 1110, 1000)), false))
        .containsPattern("compress, sha +<= 1.1 +1.110 +missed");
  }

  @Test
  void streamsHaveALowerBound() throws IOException {
    assertThat(table(results("stream", point("dma-w4-1048576-in-place", 91, 100)), true))
        .containsPattern("streams in place beside actors: 1 MiB, dma +>= 0.9 +0.910 +met");
    assertThat(table(results("stream", point("dma-w4-1048576-on-engine", 89, 100)), false))
        .containsPattern("streams on engine beside actors: 1 MiB, dma +>= 0.9 +0.890 +missed");
    assertThat(table(results("stream", point("compress-w4-1048576-heap", 94, 100)), false))
        .containsPattern("1 MiB, compress +>= 0.95 +0.940 +missed");
  }

  @Test
  void ratesOfBlocksHaveALowerBound() throws IOException {
    assertThat(table(results("blocks", point("aes-gcm-w4-1048576", 96, 100)), true))
        .containsPattern("1 MiB, aes-gcm +>= 0.95 +0.960 +met");
    assertThat(table(results("blocks", point("aes-gcm-w4-1048576", 94, 100)), false))
        .containsPattern("1 MiB, aes-gcm +>= 0.95 +0.940 +missed");
    assertThat(table(results("library", point("sha-w16-65536", 81, 100)), true))
        .containsPattern("64 KiB, sha +>= 0.8 +0.810 +met");
    assertThat(table(results("wall", point("per-byte", 80, 100)), false))
        .containsPattern("per byte, beside igzip -1 +<= 0.75 +0.800 +missed");
  }

  /** The base divides the median of plain C, whose bare loop is the other point. */
  @Test
  void writesOfRdmaAreComparedWithTheSystemCall() throws IOException {
    PointResult bare = point("write-64-bare", 1, 1000);
    assertThat(table(results("rdma", point("write-64-w1", 1900, 1400), bare), true))
        .containsPattern("RDMA write of 64 B, busy +<= 1.4 +1.357 +met")
        .containsPattern("over process_vm_writev, 64 B +<= 1.5 +1.400 +met")
        .containsPattern("writes of 1 MiB, 4 in flight +>= 0.97 +- +not measured");
    assertThat(table(results("rdma", point("write-64-w1", 1900, 1600), bare), false))
        .containsPattern("over process_vm_writev, 64 B +<= 1.5 +1.600 +missed");
  }

  /** A turn contains a poll of the device, so only the difference of two points counts. */
  @Test
  void turnsOfManyConnectionsAreComparedWithTurnsOfOne() throws IOException {
    PointResult one = point("turn-server-1", 3000, 1);
    assertThat(table(results("turn", one, point("turn-server-10000", 3190, 1)), true))
        .containsPattern("10,000 connections of a server, over 1 +<= 200 ns +190.0 ns +met")
        .containsPattern("1,000 clients of an engine, over 1 +<= 200 ns +- +not measured");
    assertThat(table(results("turn", one, point("turn-server-10000", 3210, 1)), false))
        .containsPattern("10,000 connections of a server, over 1 +<= 200 ns +210.0 ns +missed");
    PointResult client = point("turn-clients-1", 3000, 1);
    assertThat(table(results("turn", client, point("turn-clients-1000", 3201, 1)), false))
        .containsPattern("1,000 clients of an engine, over 1 +<= 200 ns +201.0 ns +missed");
    PointResult rdma = point("turn-1", 3000, 1);
    assertThat(table(results("rdma-turn", rdma, point("turn-10000", 2990, 1)), true))
        .containsPattern("10,000 RDMA connections, over 1 +<= 200 ns +-10.00 ns +met");
  }

  @Test
  void theNewestExperimentCounts() throws IOException {
    write("20260101-000000", 30, 0.5);
    write("20260102-000000", 30, 0.99);
    assertThat(table(result(300), true))
        .containsPattern("dma, 1 in flight, warm +>= 0.98 +0.990 +met");
  }

  /** The experiment's report has the same limit. */
  @Test
  void fewPairsOfAnExperimentSayNothing() throws IOException {
    write("20260101-000000", 29, 0.5);
    assertThat(table(result(300), true))
        .containsPattern("dma, 1 in flight, warm +>= 0.98 +0.500 +too few pairs");
  }

  private void write(String run, int pairs, double ratio) throws IOException {
    Path report = folder.resolve("dma/results").resolve(run).resolve("report.json");
    Files.createDirectories(report.getParent());
    Files.writeString(
        report,
        "{\"results\":[{\"label\":\"dma, 1 in flight\",\"mode\":\"warm\",\"target_ratio\":0.98,\"ratio\":{\"count\":%d,\"median\":%s}}]}"
            .formatted(pairs, ratio));
  }

  @Test
  void plotsAreDrawn() throws IOException {
    Plots.write(result(300), ChartFiles.in(folder));
    for (String name : List.of("null-task-ns.png", "null-task-ns.svg", "null-task-ns-ratio.svg")) {
      assertThat(folder.resolve(name)).isNotEmptyFile();
    }
  }

  @Test
  void eachPlotShowsTheNumberOfTrials() throws IOException {
    Set<String> titles = new HashSet<>();
    Plots.write(
        result(300), ChartFiles.in(folder, (chart, out, format) -> titles.add(chart.getTitle())));
    assertThat(titles).containsExactly("tasks (software DPU), 2 trials");
  }
}
