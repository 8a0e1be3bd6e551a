package io.dpuactors.benchmarks.measure;

import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Statistics of a column. A value that needs more measurements is NaN: all of an empty column, and
 * the spread of a single value.
 *
 * @param count number of values
 * @param mean arithmetic mean
 * @param sd standard deviation of a sample (n-1)
 * @param median the middle value, or the mean of the two middle values
 * @param ci half of the 99 % confidence interval of the mean by Student's t distribution: the
 *     interval is {@code mean - ci} to {@code mean + ci}
 */
public record Summary(int count, double mean, double sd, double median, double ci) {
  /** Probability beyond each end of the interval. */
  private static final double TAIL = 0.005;

  /** Computes the statistics of a column. */
  public static Summary of(double... values) {
    int count = values.length;
    if (count == 0) {
      return new Summary(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    double mean = Mean.of(values).getAsDouble();
    double median = Median.withDefaults().withCopy(true).evaluate(values);
    if (count == 1) {
      return new Summary(1, mean, Double.NaN, median, Double.NaN);
    }
    double sd = StandardDeviation.of(values).getAsDouble();
    double t = TDistribution.of(count - 1).inverseSurvivalProbability(TAIL);
    return new Summary(count, mean, sd, median, t * sd / Math.sqrt(count));
  }
}
