package io.dpuactors.benchmarks.report;

import io.dpuactors.benchmarks.measure.Summary;
import java.util.Locale;

/** Numbers as text. A value that needs more trials is a dash. */
public final class Figures {
  private static final int RATE_DIGITS = 4;
  private static final int PERCENT_DIGITS = 2;

  private Figures() {}

  /** Returns four significant digits; an empty text for a missing value. */
  public static String significant(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    double size = Math.abs(value);
    return fixed(value, size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
  }

  /** Returns full precision; an empty text for a missing value. */
  public static String exact(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }

  /** Returns a fixed number of decimals. */
  public static String fixed(double value, int digits) {
    if (Double.isNaN(value)) {
      return "-";
    }
    String text = String.format(Locale.ROOT, "%." + digits + "f", value);
    return text.matches("-0\\.?0*") ? text.substring(1) : text;
  }

  /** Returns a data rate in GiB/s. */
  public static String rate(double gibPerSecond) {
    return fixed(gibPerSecond, RATE_DIGITS);
  }

  /** Returns a number of percent, without a sign. */
  public static String percent(double percent) {
    return fixed(percent, PERCENT_DIGITS);
  }

  /** Returns a ratio. */
  public static String ratio(double ratio) {
    return fixed(ratio, 3);
  }

  /** Returns a share of 1, in percent. */
  public static String share(double share) {
    return fixed(share * 100, 1) + (Double.isNaN(share) ? "" : " %");
  }

  /** Returns mean, standard deviation and half of the confidence interval of data rates. */
  public static String[] rates(Summary s) {
    return new String[] {rate(s.mean()), rate(s.sd()), rate(s.ci())};
  }

  /** Returns mean, standard deviation and half of the confidence interval of percentages. */
  public static String[] percents(Summary s) {
    return new String[] {percent(s.mean()), percent(s.sd()), percent(s.ci())};
  }
}
