package io.dpuactors.benchmarks.report;

import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.benchmarks.result.RunResult;
import io.dpuactors.experiments.statistics.Summary;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Means with their 99 % intervals, and ratios, as PNG and SVG. Needs no display. */
public final class Plots {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 500;
  private static final int LABEL_DEGREES = 60;

  private Plots() {}

  /** Writes a plot per unit, and one of the ratios where there are any. */
  public static void write(RunResult result, Path folder) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Files.createDirectories(folder);
    for (Metric metric : Metric.values()) {
      List<PointResult> points =
          result.points().stream()
              .filter(p -> p.metric() == metric && p.comparison().actors().count() > 0)
              .toList();
      String name = "%s-%s".formatted(result.benchmark(), metric.name().toLowerCase(Locale.ROOT));
      if (!points.isEmpty()) {
        save(values(result, metric, points), folder.resolve(name));
      }
      List<PointResult> paired =
          points.stream().filter(p -> p.comparison().ratio().count() > 0).toList();
      if (!paired.isEmpty()) {
        save(ratios(result, metric, paired), folder.resolve(name + "-ratio"));
      }
    }
  }

  private static CategoryChart values(RunResult result, Metric metric, List<PointResult> points) {
    CategoryChart chart = chart(result, metric.unit());
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
    CategoryChart chart = chart(result, "actors / plain C (" + better + ")");
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

  private static CategoryChart chart(RunResult result, String axis) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("%s (%s)".formatted(result.title(), result.device()))
            .yAxisTitle(axis)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setXAxisLabelRotation(LABEL_DEGREES);
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }

  private static void save(CategoryChart chart, Path name) throws IOException {
    for (String format : List.of("png", "svg")) {
      try (OutputStream out = Files.newOutputStream(Path.of(name + "." + format))) {
        ChartEncoder.saveChart(chart, out, format);
      }
    }
  }
}
