package io.dpuactors.experiments.run;

import java.util.Locale;

/** How processes and trials go together, the same on both sides. */
public enum Mode {
  /** A fresh process for each trial, as published. */
  COLD("a fresh process for each trial", 0.90),
  /** One process for all trials, which has done one before that does not count. */
  WARM("all trials in one process, after one that does not count", 0.98);

  private final String meaning;
  private final double target;

  Mode(String meaning, double target) {
    this.meaning = meaning;
    this.target = target;
  }

  /** For people. */
  public String meaning() {
    return meaning;
  }

  /** What the median of the pairs' ratios, actors over plain C, shall be at least. */
  public double target() {
    return target;
  }

  /** In files, and for people. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
