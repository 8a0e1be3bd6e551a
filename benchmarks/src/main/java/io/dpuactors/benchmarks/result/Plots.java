package io.dpuactors.benchmarks.result;

import io.dpuactors.benchmarks.measure.Comparison;
import io.dpuactors.benchmarks.measure.Summary;
import io.dpuactors.benchmarks.report.ChartFiles;
import io.dpuactors.benchmarks.report.Charts;
import java.io.IOException;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.knowm.xchart.CategoryChart;

/** Plots of a scenario: means with their 99 % intervals, and ratios. */
public final class Plots {
  private Plots() {}

  /** Writes a plot per unit, and one of the ratios where there are any. */
  public static void write(RunResult result, ChartFiles files) throws IOException {
    for (Metric metric : Metric.values()) {
      List<PointResult> points =
          having(result.points(), Comparison::actors).stream()
              .filter(p -> p.metric() == metric)
              .toList();
      String name = "%s-%s".formatted(result.benchmark(), metric.name().toLowerCase(Locale.ROOT));
      if (!points.isEmpty()) {
        Map<String, Function<Comparison, Summary>> series = new LinkedHashMap<>();
        series.put("measured", Comparison::actors);
        if (having(points, Comparison::plain).size() == points.size()) {
          series.put("reference", Comparison::plain);
        }
        files.save(name, () -> chart(result, metric.unit(), points, series));
      }
      List<PointResult> paired = having(points, Comparison::ratio);
      if (!paired.isEmpty()) {
        String better = metric.lessIsBetter() ? "less is better" : "more is better";
        files.save(
            name + "-ratio",
            () ->
                chart(
                    result,
                    "measured / reference (" + better + ")",
                    paired,
                    Map.of("ratio", Comparison::ratio)));
      }
    }
  }

  private static List<PointResult> having(
      List<PointResult> points, Function<Comparison, Summary> column) {
    return points.stream().filter(p -> column.apply(p.comparison()).count() > 0).toList();
  }

  /** Returns "15 trials", or "2 to 15 trials" where points differ. */
  static String trials(List<PointResult> points) {
    IntSummaryStatistics counts =
        points.stream().mapToInt(p -> p.comparison().actors().count()).summaryStatistics();
    return counts.getMin() == counts.getMax()
        ? "%d trials".formatted(counts.getMax())
        : "%d to %d trials".formatted(counts.getMin(), counts.getMax());
  }

  private static CategoryChart chart(
      RunResult result,
      String axis,
      List<PointResult> points,
      Map<String, Function<Comparison, Summary>> series) {
    Map<String, List<Summary>> columns = new LinkedHashMap<>();
    series.forEach(
        (name, column) ->
            columns.put(name, points.stream().map(p -> column.apply(p.comparison())).toList()));
    return Charts.bars(
        "%s (%s), %s".formatted(result.title(), result.device(), trials(points)),
        axis,
        points.stream().map(PointResult::label).toList(),
        columns);
  }
}
