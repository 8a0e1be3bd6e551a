package io.dpuactors.benchmarks.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.benchmarks.result.RunResult;
import io.dpuactors.experiments.statistics.Comparison;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What the project wants to reach, held against results. Ratios are the median of the pairs'. */
public final class Targets {
  private static final String FORMAT = "%-58s %14s %12s  %-13s %s%n";
  private static final List<String> EXPERIMENTS = List.of("compression", "comch", "dma");

  private final List<RunResult> results;
  private final Path experiments;
  private final List<Target> targets = new ArrayList<>();

  private Targets(List<RunResult> results, Path experiments) {
    this.results = results;
    this.experiments = experiments;
  }

  /**
   * Prints every target.
   *
   * @param results of scenarios
   * @param experiments the folder of the experiments, whose newest results count
   * @return whether none was missed
   */
  public static boolean print(PrintWriter out, List<RunResult> results, Path experiments) {
    List<Target> all = new Targets(results, experiments).collect();
    out.printf(FORMAT, "target (software DPU)", "shall be", "is", "", "measured by");
    for (Target target : all) {
      out.printf(
          FORMAT,
          target.what(),
          "%s %s%s".formatted(target.isMost() ? "<=" : ">=", bound(target.bound()), target.unit()),
          Double.isNaN(target.measured()) ? "-" : Screen.figure(target.measured()) + target.unit(),
          target.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '),
          target.from());
    }
    return all.stream().noneMatch(t -> t.verdict() == Target.Verdict.MISSED);
  }

  private static String bound(double bound) {
    return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
  }

  private List<Target> collect() {
    EXPERIMENTS.forEach(this::experiment);
    for (String kind : List.of("dma", "compress")) {
      String point = kind + "-w64-64";
      most("null task, window 64, " + kind, 2.0, "null-task", point, Targets::ratio, "");
      most(
          "the same, 64 tasks in a request", 1.1, "null-batch", point + "-b64", Targets::ratio, "");
      most("garbage per task, " + kind, 200, "null-task", point, Targets::bytes, " B");
    }
    most("ping-pong over two processes, busy", 1.25, "ping", "ping-busy", Targets::ratio, "");
    most("idle engine, adaptive", 1, "idle", "idle-adaptive", Targets::value, " %");
    most("java to first completed task", 1.5, "start", "start-archive", Targets::value, " s");
    String lease = "LeaseBenchmark.leaseAndRelease";
    most("lease and return", 50, "micro", lease, Targets::value, " ns");
    most("garbage of lease and return", 0.5, "micro", lease, Targets::bytes, " B");
    return targets;
  }

  private static double ratio(PointResult point) {
    return point.comparison().ratio().median();
  }

  private static double value(PointResult point) {
    return point.comparison().actors().median();
  }

  private static double bytes(PointResult point) {
    return point.bytesPerTask().mean();
  }

  private void most(
      String what,
      double bound,
      String scenario,
      String point,
      ToDoubleFunction<PointResult> figure,
      String unit) {
    double measured =
        results.stream()
            .filter(result -> result.benchmark().equals(scenario))
            .flatMap(result -> result.points().stream())
            .filter(p -> p.key().equals(point))
            .mapToDouble(figure)
            .findFirst()
            .orElse(Double.NaN);
    targets.add(new Target(what, bound, true, measured, true, unit, "bench run " + scenario));
  }

  private void experiment(String name) {
    Optional<JsonNode> report = newest(experiments.resolve(name).resolve("results"));
    if (report.isEmpty()) {
      String from = "experiment " + name;
      targets.add(new Target(name + ", warm", 0.98, false, Double.NaN, true, "", from));
      targets.add(new Target(name + ", cold", 0.90, false, Double.NaN, true, "", from));
      return;
    }
    for (JsonNode row : report.get().path("results")) {
      targets.add(
          new Target(
              "data rate: %s, %s".formatted(row.path("label").asText(), row.path("mode").asText()),
              row.path("target_ratio").asDouble(),
              false,
              row.path("ratio").path("median").asDouble(Double.NaN),
              row.path("ratio").path("count").asInt() >= Comparison.MIN_PAIRS,
              "",
              "experiment " + name));
    }
  }

  private static Optional<JsonNode> newest(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> runs = Files.list(folder)) {
      Optional<Path> report =
          runs.map(run -> run.resolve("report.json"))
              .filter(Files::isReadable)
              .max(Comparator.naturalOrder());
      return report.isEmpty()
          ? Optional.empty()
          : Optional.of(new ObjectMapper().readTree(report.get().toFile()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
