package io.dpuactors.benchmarks.report;

import io.dpuactors.benchmarks.measure.Summary;
import java.awt.Color;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of columns of trials. */
public final class Charts {
  private static final int LABEL_DEGREES = 60;
  private static final int OPACITY = 70;
  private static final Color[] COLORS = {new Color(0x1f77b4), new Color(0xff7f0e)};

  private Charts() {}

  /**
   * Returns means with their 99 % intervals, as bars.
   *
   * @param labels one per bar of a series
   * @param series name and columns of each series, in order
   */
  public static CategoryChart bars(
      String title, String axis, List<String> labels, Map<String, List<Summary>> series) {
    CategoryChart chart =
        new CategoryChartBuilder().width(1000).height(500).title(title).yAxisTitle(axis).build();
    style(chart.getStyler(), LegendPosition.InsideNW);
    chart.getStyler().setXAxisLabelRotation(LABEL_DEGREES);
    chart.getStyler().setYAxisMin(0.0);
    series.forEach(
        (name, columns) ->
            chart.addSeries(
                name,
                labels,
                columns.stream().map(Summary::mean).toList(),
                columns.stream().map(s -> Double.isNaN(s.ci()) ? 0 : s.ci()).toList()));
    return chart;
  }

  /**
   * Returns the distributions of at most two columns, with lines at their medians.
   *
   * @param columns names and values, in order
   */
  public static XYChart distributions(String title, String axis, Map<String, double[]> columns) {
    XYChart chart =
        new XYChartBuilder()
            .width(640)
            .height(400)
            .title(title)
            .xAxisTitle(axis)
            .yAxisTitle("trials")
            .build();
    style(chart.getStyler(), LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setYAxisDecimalPattern("0").setYAxisMin(0.0);
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

  /**
   * Returns lines over logarithmic axes.
   *
   * @param lines name and points (x, y) of each line, in order; all values are greater than 0
   */
  public static XYChart lines(
      String title, String horizontal, String vertical, Map<String, List<double[]>> lines) {
    XYChart chart =
        new XYChartBuilder()
            .width(800)
            .height(500)
            .title(title)
            .xAxisTitle(horizontal)
            .yAxisTitle(vertical)
            .build();
    style(chart.getStyler(), LegendPosition.InsideNW);
    chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
    lines.forEach(
        (name, points) ->
            chart.addSeries(
                name,
                points.stream().mapToDouble(point -> point[0]).toArray(),
                points.stream().mapToDouble(point -> point[1]).toArray()));
    return chart;
  }

  private static void style(Styler styler, LegendPosition legend) {
    styler.setLegendPosition(legend);
    styler.setChartBackgroundColor(Color.WHITE);
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
