package io.dpuactors.experiments.report;

import io.dpuactors.experiments.statistics.Summary;
import java.util.Locale;

/** Numbers as text. A value that needs more trials is a dash. */
final class Figures {
  private static final int RATE_DIGITS = 4;
  private static final int PERCENT_DIGITS = 2;

  private Figures() {}

  static String fixed(double value, int digits) {
    if (Double.isNaN(value)) {
      return "-";
    }
    String text = String.format(Locale.ROOT, "%." + digits + "f", value);
    return text.matches("-0\\.?0*") ? text.substring(1) : text;
  }

  static String rate(double gibPerSecond) {
    return fixed(gibPerSecond, RATE_DIGITS);
  }

  static String percent(double percent) {
    return fixed(percent, PERCENT_DIGITS);
  }

  static String ratio(double ratio) {
    return fixed(ratio, 3);
  }

  /** Returns a share of 1, in percent. */
  static String share(double share) {
    return fixed(share * 100, 1) + (Double.isNaN(share) ? "" : " %");
  }

  /** Returns mean, standard deviation and half of the confidence interval of data rates. */
  static String[] rates(Summary s) {
    return new String[] {rate(s.mean()), rate(s.sd()), rate(s.ci())};
  }

  /** Returns mean, standard deviation and half of the confidence interval of percentages. */
  static String[] percents(Summary s) {
    return new String[] {percent(s.mean()), percent(s.sd()), percent(s.ci())};
  }
}
