package io.dpuactors.benchmarks.report;

/**
 * What a figure shall be, and what it is.
 *
 * @param what is measured, for people
 * @param bound the figure's limit
 * @param isMost whether the figure shall be at most the bound; else at least
 * @param measured NaN when it was not
 * @param isEnough whether the number of pairs allows an answer
 * @param unit of both; empty for ratios
 * @param from how to measure it
 */
record Target(
    String what,
    double bound,
    boolean isMost,
    double measured,
    boolean isEnough,
    String unit,
    String from) {
  /** What came of it. */
  enum Verdict {
    MET,
    MISSED,
    /** The number of pairs does not allow an answer. */
    TOO_FEW_PAIRS,
    /** No result has the figure. */
    NOT_MEASURED
  }

  Verdict verdict() {
    if (Double.isNaN(measured)) {
      return Verdict.NOT_MEASURED;
    }
    if (!isEnough) {
      return Verdict.TOO_FEW_PAIRS;
    }
    return (isMost ? measured <= bound : measured >= bound) ? Verdict.MET : Verdict.MISSED;
  }
}
