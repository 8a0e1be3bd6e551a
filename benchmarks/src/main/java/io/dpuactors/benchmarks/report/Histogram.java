package io.dpuactors.benchmarks.report;

import java.util.Arrays;
import java.util.List;

/**
 * Equal bins over several columns, which makes the columns comparable. The borders of the bins are
 * round numbers.
 *
 * @param from begin of the first bin
 * @param width of each bin
 * @param bins number of bins
 */
record Histogram(double from, double width, int bins) {
  /** With fewer bins, a few values would all be in one. */
  private static final int MIN_BINS = 12;

  private static final int MAX_BINS = 50;
  private static final double[] ROUND = {1, 2, 2.5, 5, 10};

  /** Creates bins with about the width of Freedman and Diaconis for the largest column. */
  static Histogram over(List<double[]> columns) {
    double[] all = columns.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
    if (all.length == 0) {
      return new Histogram(0, 1, 1);
    }
    double low = all[0];
    double range = all[all.length - 1] - low;
    if (range == 0) {
      return between(low, low, round(Math.max(Math.abs(low), 1) * 0.01));
    }
    int largest = columns.stream().mapToInt(c -> c.length).max().orElse(1);
    double spread = quantile(all, 0.75) - quantile(all, 0.25);
    double ideal = 2 * spread / Math.cbrt(largest);
    double width = Math.max(range / MAX_BINS, Math.min(range / MIN_BINS, ideal));
    return between(low, all[all.length - 1], round(width));
  }

  private static Histogram between(double low, double high, double width) {
    double first = Math.floor(low / width);
    return new Histogram(first * width, width, (int) (Math.floor(high / width) - first) + 1);
  }

  /** Returns the next larger number that is easy to read. */
  private static double round(double width) {
    double power = Math.pow(10, Math.floor(Math.log10(width)));
    return Arrays.stream(ROUND).map(r -> r * power).filter(r -> r >= width).min().orElse(width);
  }

  /** Returns the end of the last bin. */
  double to() {
    return from + bins * width;
  }

  private static double quantile(double[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
  }

  /** Returns the number of values in each bin. The last bin includes its end. */
  int[] count(double[] values) {
    int[] counts = new int[bins];
    for (double value : values) {
      int bin = (int) ((value - from) / width);
      counts[Math.max(0, Math.min(bins - 1, bin))]++;
    }
    return counts;
  }

  /** Returns the corners of a column's outline, from left to right: positions and counts. */
  double[][] outline(double[] values) {
    int[] counts = count(values);
    double[] x = new double[2 * bins + 2];
    double[] y = new double[2 * bins + 2];
    x[0] = from;
    for (int i = 0; i < bins; i++) {
      x[2 * i + 1] = from + i * width;
      x[2 * i + 2] = from + (i + 1) * width;
      y[2 * i + 1] = counts[i];
      y[2 * i + 2] = counts[i];
    }
    x[2 * bins + 1] = from + bins * width;
    return new double[][] {x, y};
  }
}
