package io.dpuactors.experiments.run;

/** Who runs a trial. */
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

  /** In files. */
  public String key() {
    return key;
  }

  /** For people. */
  public String label() {
    return label;
  }
}
