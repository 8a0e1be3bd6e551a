package io.dpuactors.benchmarks.result;

/** Kinds of values. */
public enum Metric {
  /** Nanoseconds per task or operation. */
  NS("ns", true),
  /** Microseconds of a round trip or latency. */
  US("us", true),
  /** Data rate. */
  GIBPS("GiB/s", false),
  /** Memory. */
  KIB("KiB", true),
  /** Open files of a process. */
  DESCRIPTORS("descriptors", true),
  /** Tasks per second. */
  TASKS("tasks/s", false),
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

  /** Returns the unit's symbol. */
  public String unit() {
    return unit;
  }

  /** Returns whether a ratio below 1, actors over plain C, is in favor of the actors. */
  public boolean lessIsBetter() {
    return lessIsBetter;
  }
}
