package io.dpuactors.benchmarks.result;

import static io.dpuactors.benchmarks.report.Figures.significant;

import com.fasterxml.jackson.databind.JsonNode;
import io.dpuactors.benchmarks.measure.Comparison;
import io.dpuactors.benchmarks.measure.RunFolder;
import io.dpuactors.benchmarks.report.Json;
import io.dpuactors.benchmarks.report.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The project's targets, compared with results. A ratio is the median of the pairs' ratios. */
public final class Targets {
  private static final String FORMAT = "%-58s %14s %12s  %-13s %s%n";
  private static final List<String> EXPERIMENTS = List.of("compression", "comch", "dma");

  /** The table of targets; its first line explains the columns. */
  private static final String TABLE = "targets.txt";

  /** Figures of a point, by their names in the table. */
  private static final Map<String, ToDoubleFunction<PointResult>> FIGURES =
      Map.of(
          "ratio", point -> point.comparison().ratio().median(),
          "value", point -> point.comparison().actors().median(),
          "plain", point -> point.comparison().plain().median(),
          "bytes", point -> point.bytesPerTask().mean());

  /**
   * A figure, and its target.
   *
   * @param isMost whether the figure must be at most the bound; else at least
   * @param measured NaN without a result
   * @param isEnough whether the number of pairs allows a verdict; false for quick runs
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

  private static List<Target> ofScenarios(List<RunResult> results) throws IOException {
    try (InputStream table = Objects.requireNonNull(Targets.class.getResourceAsStream(TABLE))) {
      return new String(table.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> ofScenario(List.of(line.split(" *\\| *")), results))
          .toList();
    }
  }

  private static Target ofScenario(List<String> row, List<RunResult> results) {
    String[] bound = row.get(1).split(" ", 3);
    String points = row.get(3);
    double[] figures =
        Stream.of(points.split(" [/-] "))
            .mapToDouble(point -> figure(results, row.get(2), point, row.get(4)))
            .toArray();
    double measured = figures[0];
    if (figures.length == 2) {
      measured = points.contains(" / ") ? measured / figures[1] : measured - figures[1];
    }
    return new Target(
        row.get(0),
        Double.parseDouble(bound[1]),
        bound[0].equals("<="),
        measured,
        results.stream().noneMatch(r -> r.quick() && r.benchmark().equals(row.get(2))),
        bound.length < 3 ? "" : " " + bound[2],
        "bench run " + row.get(2));
  }

  private static double figure(
      List<RunResult> results, String scenario, String point, String name) {
    return results.stream()
        .filter(result -> result.benchmark().equals(scenario))
        .flatMap(result -> result.points().stream())
        .filter(p -> p.key().equals(point))
        .mapToDouble(Objects.requireNonNull(FIGURES.get(name), name))
        .findFirst()
        .orElse(Double.NaN);
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
    targets.addAll(ofScenarios(results));
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
