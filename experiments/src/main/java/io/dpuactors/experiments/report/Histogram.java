package io.dpuactors.experiments.report;

import java.util.Arrays;
import java.util.List;

/**
 * Equal bins over several columns, so that they can be held against each other.
 *
 * @param from begin of the first bin
 * @param width of each
 * @param bins how many
 */
record Histogram(double from, double width, int bins) {
  private static final int MAX_BINS = 60;

  /** Bins after Freedman and Diaconis, as far as the largest column allows. */
  static Histogram over(List<double[]> columns) {
    double[] all = columns.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
    if (all.length == 0) {
      return new Histogram(0, 1, 1);
    }
    double low = all[0];
    double range = all[all.length - 1] - low;
    if (range == 0) {
      double width = Math.max(Math.abs(low), 1) * 0.01;
      return new Histogram(low - width / 2, width, 1);
    }
    int largest = columns.stream().mapToInt(c -> c.length).max().orElse(1);
    double spread = quantile(all, 0.75) - quantile(all, 0.25);
    double ideal = 2 * spread / Math.cbrt(largest);
    int bins = ideal > 0 ? (int) Math.ceil(range / ideal) : MAX_BINS;
    bins = Math.max(1, Math.min(MAX_BINS, bins));
    return new Histogram(low, range / bins, bins);
  }

  private static double quantile(double[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
  }

  /** How many values are in each bin. The last one includes its end. */
  int[] count(double[] values) {
    int[] counts = new int[bins];
    for (double value : values) {
      int bin = (int) ((value - from) / width);
      counts[Math.max(0, Math.min(bins - 1, bin))]++;
    }
    return counts;
  }

  /** The corners of a column's outline, from left to right: where, and how many. */
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
