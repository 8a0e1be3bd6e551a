package io.dpuactors.benchmarks.report;

/**
 * What a figure shall be, and what it is.
 *
 * @param what is measured, for people
 * @param bound the figure's limit
 * @param isMost whether the figure shall be at most the bound; else at least
 * @param measured NaN when it was not
 * @param unit of both; empty for ratios
 * @param from how to measure it
 */
record Target(
    String what, double bound, boolean isMost, double measured, String unit, String from) {
  /** What came of it. */
  enum Verdict {
    MET,
    MISSED,
    /** Nobody has looked. */
    NOT_MEASURED
  }

  Verdict verdict() {
    if (Double.isNaN(measured)) {
      return Verdict.NOT_MEASURED;
    }
    return (isMost ? measured <= bound : measured >= bound) ? Verdict.MET : Verdict.MISSED;
  }
}
