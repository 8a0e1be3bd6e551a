package io.dpuactors.experiments.report;

import io.dpuactors.experiments.statistics.Pair;
import io.dpuactors.experiments.statistics.Summary;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** How measurements are distributed, as PNG and SVG. Needs no display. */
final class Plots {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;
  private static final int OPACITY = 70;
  private static final Color[] COLORS = {new Color(0x1f77b4), new Color(0xff7f0e)};

  private Plots() {}

  /** Writes two plots per mode and row into a folder: data rates of both sides, and the loss. */
  static void write(Result result, Path folder) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Files.createDirectories(folder);
    for (Result.Part part : result.parts()) {
      String title = part.row().label() + ", " + part.mode().key() + " (software DPU)";
      Map<String, double[]> rates = new LinkedHashMap<>();
      rates.put("actors", present(part.pairs(), Pair::actors));
      rates.put("plain C", present(part.pairs(), Pair::plain));
      save(chart(title, "data rate, GiB/s", rates), folder.resolve("rates-" + part.key()));
      double[] loss =
          part.pairs().stream().filter(Pair::isComplete).mapToDouble(Pair::lossPercent).toArray();
      save(
          chart(title, "loss, % of plain C (negative: actors faster)", Map.of("loss", loss)),
          folder.resolve("loss-" + part.key()));
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

  /** Its outline, and a line where its median is. */
  private static void addColumn(
      XYChart chart, Histogram histogram, String name, double[] values, Color color) {
    double[][] outline = histogram.outline(values);
    double median = Summary.of(values).median();
    chart
        .addSeries(
            Double.isNaN(median) ? name : name + ", median " + Figures.fixed(median, 3),
            outline[0],
            outline[1])
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

  private static void save(XYChart chart, Path name) throws IOException {
    for (String format : List.of("png", "svg")) {
      try (OutputStream out = Files.newOutputStream(Path.of(name + "." + format))) {
        ChartEncoder.saveChart(chart, out, format);
      }
    }
  }
}
