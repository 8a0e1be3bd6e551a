package io.dpuactors.benchmarks.measure;

/** The program that runs a trial. */
public enum Side {
  /** {@code dpu}. */
  ACTORS("actors", "actors"),
  /** The plain C program. */
  PLAIN("plain", "plain C");

  private final String key;
  private final String label;

  Side(String key, String label) {
    this.key = key;
    this.label = label;
  }

  /** Returns its name in files. */
  public String key() {
    return key;
  }

  /** Returns its name in reports. */
  public String label() {
    return label;
  }
}
