package io.dpuactors.benchmarks.result;

/** What values are. */
public enum Metric {
  /** Nanoseconds per task or operation. */
  NS("ns", true),
  /** Microseconds of a round trip or latency. */
  US("us", true),
  /** Data rate. */
  GIBPS("GiB/s", false),
  /** Seconds. */
  SECONDS("s", true),
  /** Percent of one core. */
  CORE_PERCENT("% of a core", true);

  private final String unit;
  private final boolean lessIsBetter;

  Metric(String unit, boolean lessIsBetter) {
    this.unit = unit;
    this.lessIsBetter = lessIsBetter;
  }

  /** For people. */
  public String unit() {
    return unit;
  }

  /** Whether a ratio, actors over plain C, below 1 means that actors are better. */
  public boolean lessIsBetter() {
    return lessIsBetter;
  }
}
