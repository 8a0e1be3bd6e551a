package io.dpuactors.experiments.report;

import io.dpuactors.experiments.statistics.Pair;
import io.dpuactors.experiments.statistics.Summary;
import java.awt.Color;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Distributions of the measurements, one chart for each mode and row. */
final class Plots {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;
  private static final int OPACITY = 70;
  private static final Color[] COLORS = {new Color(0x1f77b4), new Color(0xff7f0e)};

  private Plots() {}

  /** Returns the name of the plot of both sides' data rates. */
  static String rates(Result.Part part) {
    return "rates-" + part.key();
  }

  /** Returns the name of the plot of the loss. */
  static String loss(Result.Part part) {
    return "loss-" + part.key();
  }

  /** Writes two plots per mode and row: data rates of both sides, and the loss. */
  static void write(Result result, ChartFiles files) throws IOException {
    for (Result.Part part : result.parts()) {
      String title =
          "%s, %s (software DPU), %d pairs"
              .formatted(part.row().label(), part.mode().key(), part.pairs().size());
      Map<String, double[]> rates = new LinkedHashMap<>();
      rates.put("actors", present(part.pairs(), Pair::actors));
      rates.put("plain C", present(part.pairs(), Pair::plain));
      files.save(rates(part), () -> chart(title, "data rate, GiB/s", rates));
      double[] loss =
          part.pairs().stream().filter(Pair::isComplete).mapToDouble(Pair::lossPercent).toArray();
      files.save(
          loss(part),
          () -> chart(title, "loss, % of plain C (negative: actors faster)", Map.of("loss", loss)));
    }
  }

  private static double[] present(List<Pair> pairs, Function<Pair, OptionalDouble> value) {
    return pairs.stream()
        .map(value)
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .toArray();
  }

  private static XYChart chart(String title, String axis, Map<String, double[]> columns) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(axis)
            .yAxisTitle("trials")
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setYAxisDecimalPattern("0");
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setXAxisDecimalPattern("0.####");
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Area);
    Histogram histogram = Histogram.over(List.copyOf(columns.values()));
    chart.getStyler().setXAxisMin(histogram.from()).setXAxisMax(histogram.to());
    int index = 0;
    for (Map.Entry<String, double[]> column : columns.entrySet()) {
      addColumn(chart, histogram, column.getKey(), column.getValue(), COLORS[index++]);
    }
    return chart;
  }

  static String legend(String name, int trials, double median) {
    String counted = "%s, %d trials".formatted(name, trials);
    return Double.isNaN(median) ? counted : counted + ", median " + Figures.fixed(median, 3);
  }

  /** Adds a column's outline, and a line at its median. */
  private static void addColumn(
      XYChart chart, Histogram histogram, String name, double[] values, Color color) {
    double[][] outline = histogram.outline(values);
    double median = Summary.of(values).median();
    chart
        .addSeries(legend(name, values.length, median), outline[0], outline[1])
        .setMarker(SeriesMarkers.NONE)
        .setLineColor(color)
        .setFillColor(new Color(color.getRed(), color.getGreen(), color.getBlue(), OPACITY));
    if (!Double.isNaN(median)) {
      double top = Arrays.stream(outline[1]).max().orElse(0);
      chart
          .addSeries("median of " + name, new double[] {median, median}, new double[] {0, top})
          .setXYSeriesRenderStyle(XYSeriesRenderStyle.Line)
          .setMarker(SeriesMarkers.NONE)
          .setLineColor(color)
          .setLineStyle(SeriesLines.DASH_DASH)
          .setShowInLegend(false);
    }
  }
}
