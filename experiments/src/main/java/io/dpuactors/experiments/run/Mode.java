package io.dpuactors.experiments.run;

import java.util.Locale;

/** Number of trials per process, the same on both sides. */
public enum Mode {
  /** A fresh process for each trial, as published. */
  COLD("a fresh process for each trial", 0.90),
  /** One process for all trials, after one trial that does not count. */
  WARM("all trials in one process, after one that does not count", 0.98);

  private final String meaning;
  private final double target;

  Mode(String meaning, double target) {
    this.meaning = meaning;
    this.target = target;
  }

  /** Returns a description for the report. */
  public String meaning() {
    return meaning;
  }

  /** Returns the target: the smallest accepted median of the pairs' ratios, actors over plain C. */
  public double target() {
    return target;
  }

  /** Returns its name in files and reports. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
