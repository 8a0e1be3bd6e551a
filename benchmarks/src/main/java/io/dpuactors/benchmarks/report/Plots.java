package io.dpuactors.benchmarks.report;

import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.benchmarks.result.RunResult;
import io.dpuactors.experiments.report.ChartFiles;
import io.dpuactors.experiments.statistics.Summary;
import java.awt.Color;
import java.io.IOException;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Means with their 99 % intervals, and ratios. */
public final class Plots {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 500;
  private static final int LABEL_DEGREES = 60;

  private Plots() {}

  /** Writes a plot per unit, and one of the ratios where there are any. */
  public static void write(RunResult result, ChartFiles files) throws IOException {
    for (Metric metric : Metric.values()) {
      List<PointResult> points =
          result.points().stream()
              .filter(p -> p.metric() == metric && p.comparison().actors().count() > 0)
              .toList();
      String name = "%s-%s".formatted(result.benchmark(), metric.name().toLowerCase(Locale.ROOT));
      if (!points.isEmpty()) {
        files.save(name, () -> values(result, metric, points));
      }
      List<PointResult> paired =
          points.stream().filter(p -> p.comparison().ratio().count() > 0).toList();
      if (!paired.isEmpty()) {
        files.save(name + "-ratio", () -> ratios(result, metric, paired));
      }
    }
  }

  /** "15 trials", or "2 to 15 trials" where points differ. */
  static String trials(List<PointResult> points) {
    IntSummaryStatistics counts =
        points.stream().mapToInt(p -> p.comparison().actors().count()).summaryStatistics();
    return counts.getMin() == counts.getMax()
        ? "%d trials".formatted(counts.getMax())
        : "%d to %d trials".formatted(counts.getMin(), counts.getMax());
  }

  private static CategoryChart values(RunResult result, Metric metric, List<PointResult> points) {
    CategoryChart chart = chart(result, points, metric.unit());
    add(chart, "actors", points, p -> p.comparison().actors());
    List<PointResult> paired =
        points.stream().filter(p -> p.comparison().plain().count() > 0).toList();
    if (paired.size() == points.size()) {
      add(chart, "plain C", points, p -> p.comparison().plain());
    }
    return chart;
  }

  private static CategoryChart ratios(RunResult result, Metric metric, List<PointResult> points) {
    String better = metric.lessIsBetter() ? "less is better" : "more is better";
    CategoryChart chart = chart(result, points, "actors / plain C (" + better + ")");
    add(chart, "ratio", points, p -> p.comparison().ratio());
    return chart;
  }

  private static void add(
      CategoryChart chart,
      String name,
      List<PointResult> points,
      Function<PointResult, Summary> column) {
    chart.addSeries(
        name,
        points.stream().map(PointResult::label).toList(),
        points.stream().map(p -> column.apply(p).mean()).toList(),
        points.stream().map(p -> orZero(column.apply(p).ci())).toList());
  }

  private static double orZero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  private static CategoryChart chart(RunResult result, List<PointResult> points, String axis) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("%s (%s), %s".formatted(result.title(), result.device(), trials(points)))
            .yAxisTitle(axis)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setXAxisLabelRotation(LABEL_DEGREES);
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }
}
