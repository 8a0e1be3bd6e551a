package io.dpuactors.benchmarks.result;

import static io.dpuactors.benchmarks.report.Figures.significant;

import com.fasterxml.jackson.databind.JsonNode;
import io.dpuactors.benchmarks.measure.Comparison;
import io.dpuactors.benchmarks.measure.RunFolder;
import io.dpuactors.benchmarks.report.Json;
import io.dpuactors.benchmarks.report.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The project's targets, compared with results. A ratio is the median of the pairs' ratios. */
public final class Targets {
  private static final String FORMAT = "%-58s %14s %12s  %-13s %s%n";
  private static final List<String> EXPERIMENTS = List.of("compression", "comch", "dma");
  private static final String LEASE = "LeaseBenchmark.leaseAndRelease";

  private static final List<Row> ROWS = rows();

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>(ofCompressAndDma());
    rows.addAll(ofKind("sha", "sha-w64-64"));
    rows.addAll(ofKind("aes-gcm", "aes-gcm-w64-64"));
    rows.addAll(ofKind("erasure-coding", "erasure-coding-w64-256"));
    rows.add(wall("compress a file, beside igzip -1", 1.6, "compress"));
    rows.add(wall("decompress a file, beside igzip -d", 2.2, "decompress"));
    rows.add(wall("compress, time per byte, beside igzip -1", 0.75, "per-byte"));
    rows.add(wall("compress 4 KiB, beside an earlier commit", 0.85, "start"));
    rows.add(library("sha", "64 KiB", 64 << 10, 0.8));
    rows.add(library("sha", "256 KiB", 256 << 10, 0.8));
    rows.add(library("sha", "1 MiB", 1 << 20, 0.8));
    rows.add(library("aes-gcm", "256 KiB", 256 << 10, 0.7));
    rows.add(library("aes-gcm", "1 MiB", 1 << 20, 0.7));
    rows.add(library("erasure-coding", "1 MiB", 1 << 20, 0.8));
    rows.addAll(ofRdma());
    for (String side : List.of("listener", "client")) {
      rows.add(idle("idle RDMA connection, " + side, 16, " KiB", "memory-" + side));
      rows.add(idle("its descriptors, " + side, 1, "", "descriptors-" + side));
    }
    rows.add(stream("compress", 0.95));
    rows.add(stream("dma", 0.9));
    return rows;
  }

  /** Bounds of streams beside actors. */
  private static Row stream(String kind, double bound) {
    return new Row(
        "streams beside actors: blocks of 1 MiB, " + kind,
        bound,
        false,
        "",
        "stream",
        kind + "-w4-1048576",
        Optional.empty(),
        Targets::ratio);
  }

  private static List<Row> ofRdma() {
    return List.of(
        rdma("data rate: RDMA writes of 1 MiB, 4 in flight", 0.97, false, "write-1048576-w4"),
        rdma("message rate: RDMA writes of 64 B, 64 in flight", 0.95, false, "write-64-w64"),
        rdma("latency: RDMA write of 64 B, busy", 1.4, true, "write-64-w1"),
        new Row(
            "plain C over process_vm_writev, 64 B",
            1.5,
            true,
            "",
            "rdma",
            "write-64-w1",
            Optional.of("write-64-bare"),
            Targets::plain));
  }

  /** A bound of an idle connection. */
  private static Row idle(String label, double bound, String unit, String point) {
    return new Row(label, bound, unit, "rdma-turn", point, Targets::value);
  }

  private static Row rdma(String label, double bound, boolean isMost, String point) {
    return new Row(label, bound, isMost, "", "rdma", point, Optional.empty(), Targets::ratio);
  }

  private static List<Row> ofKind(String kind, String nullTask) {
    return List.of(
        new Row(
            "null task over that of compress, " + kind,
            1.1,
            true,
            "",
            "null-task",
            nullTask,
            Optional.of("compress-w64-64"),
            Targets::value),
        new Row(
            "data rate: blocks of 1 MiB, " + kind,
            0.95,
            false,
            "",
            "blocks",
            kind + "-w4-1048576",
            Optional.empty(),
            Targets::ratio));
  }

  /** Bounds of whole processes. */
  private static Row wall(String label, double bound, String point) {
    return new Row(label, bound, "", "wall", point, Targets::ratio);
  }

  /** Bounds of the software DPU beside the library that does its work. */
  private static Row library(String kind, String size, int bytes, double bound) {
    return new Row(
        "beside the library: blocks of %s, %s".formatted(size, kind),
        bound,
        false,
        "",
        "library",
        kind + "-w16-" + bytes,
        Optional.empty(),
        Targets::ratio);
  }

  private static List<Row> ofCompressAndDma() {
    return List.of(
        new Row("null task, window 64, dma", 2.0, "", "null-task", "dma-w64-64", Targets::ratio),
        new Row(
            "the same, 64 tasks in a request",
            1.1,
            "",
            "null-batch",
            "dma-w64-64-b64",
            Targets::ratio),
        new Row("garbage per task, dma", 200, " B", "null-task", "dma-w64-64", Targets::bytes),
        new Row(
            "null task, window 64, compress",
            2.0,
            "",
            "null-task",
            "compress-w64-64",
            Targets::ratio),
        new Row(
            "the same, 64 tasks in a request",
            1.1,
            "",
            "null-batch",
            "compress-w64-64-b64",
            Targets::ratio),
        new Row(
            "garbage per task, compress",
            200,
            " B",
            "null-task",
            "compress-w64-64",
            Targets::bytes),
        new Row(
            "ping-pong over two processes, busy", 1.25, "", "ping", "ping-busy", Targets::ratio),
        new Row("idle engine, adaptive", 1, " %", "idle", "idle-adaptive", Targets::value),
        new Row(
            "java to first completed task", 1.5, " s", "start", "start-archive", Targets::value),
        new Row("lease and return", 50, " ns", "micro", LEASE, Targets::value),
        new Row("garbage of lease and return", 0.5, " B", "micro", LEASE, Targets::bytes));
  }

  /**
   * A figure of a scenario's point, and its bound.
   *
   * @param isMost whether the figure must be at most the bound; else at least
   * @param base point of the scenario whose figure divides this one; empty: none
   */
  private record Row(
      String label,
      double bound,
      boolean isMost,
      String unit,
      String scenario,
      String point,
      Optional<String> base,
      ToDoubleFunction<PointResult> figure) {
    /** Creates a row whose figure must be at most the bound. */
    Row(
        String label,
        double bound,
        String unit,
        String scenario,
        String point,
        ToDoubleFunction<PointResult> figure) {
      this(label, bound, true, unit, scenario, point, Optional.empty(), figure);
    }

    Target target(List<RunResult> results) {
      double measured =
          figure(results, point) / base.map(other -> figure(results, other)).orElse(1.0);
      return new Target(label, bound, isMost, measured, true, unit, "bench run " + scenario);
    }

    private double figure(List<RunResult> results, String key) {
      return results.stream()
          .filter(result -> result.benchmark().equals(scenario))
          .flatMap(result -> result.points().stream())
          .filter(p -> p.key().equals(key))
          .mapToDouble(figure)
          .findFirst()
          .orElse(Double.NaN);
    }
  }

  /**
   * A figure, and its target.
   *
   * @param isMost whether the figure must be at most the bound; else at least
   * @param measured NaN without a result
   * @param isEnough whether the number of pairs allows a verdict
   * @param unit of both; empty for ratios
   * @param source command that measures the figure
   */
  private record Target(
      String label,
      double bound,
      boolean isMost,
      double measured,
      boolean isEnough,
      String unit,
      String source) {
    Verdict verdict() {
      if (Double.isNaN(measured)) {
        return Verdict.NOT_MEASURED;
      }
      if (!isEnough) {
        return Verdict.TOO_FEW_PAIRS;
      }
      return (isMost ? measured <= bound : measured >= bound) ? Verdict.MET : Verdict.MISSED;
    }

    Object[] cells() {
      String text = bound == Math.rint(bound) ? Long.toString((long) bound) : "" + bound;
      return new Object[] {
        label,
        (isMost ? "<= " : ">= ") + text + unit,
        Double.isNaN(measured) ? "-" : significant(measured) + unit,
        verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        source
      };
    }
  }

  private enum Verdict {
    MET,
    MISSED,
    TOO_FEW_PAIRS,
    NOT_MEASURED
  }

  private Targets() {}

  private static double ratio(PointResult point) {
    return point.comparison().ratio().median();
  }

  private static double value(PointResult point) {
    return point.comparison().actors().median();
  }

  private static double plain(PointResult point) {
    return point.comparison().plain().median();
  }

  private static double bytes(PointResult point) {
    return point.bytesPerTask().mean();
  }

  /**
   * Prints every target.
   *
   * @param results of scenarios
   * @param experiments the folder of the experiments, whose newest results count
   * @return whether none was missed
   */
  public static boolean print(PrintWriter out, List<RunResult> results, Path experiments)
      throws IOException {
    List<Target> targets = new ArrayList<>();
    for (String name : EXPERIMENTS) {
      targets.addAll(ofExperiment(name, experiments.resolve(name).resolve("results")));
    }
    ROWS.forEach(row -> targets.add(row.target(results)));
    Table table = new Table("target (software DPU)", "shall be", "is", "", "measured by");
    targets.forEach(target -> table.row(target.cells()));
    table.print(out, FORMAT);
    return targets.stream().noneMatch(t -> t.verdict() == Verdict.MISSED);
  }

  private static List<Target> ofExperiment(String name, Path results) throws IOException {
    String source = "experiment " + name;
    Optional<Path> newest = new RunFolder(results, "report.json").newest();
    if (newest.isEmpty()) {
      return List.of(
          new Target(name + ", warm", 0.98, false, Double.NaN, true, "", source),
          new Target(name + ", cold", 0.90, false, Double.NaN, true, "", source));
    }
    List<Target> targets = new ArrayList<>();
    JsonNode report = Json.MAPPER.readTree(newest.get().resolve("report.json").toFile());
    for (JsonNode row : report.path("results")) {
      targets.add(
          new Target(
              "data rate: %s, %s".formatted(row.path("label").asText(), row.path("mode").asText()),
              row.path("target_ratio").asDouble(),
              false,
              row.path("ratio").path("median").asDouble(Double.NaN),
              row.path("ratio").path("count").asInt() >= Comparison.MIN_PAIRS,
              "",
              source));
    }
    return targets;
  }
}
