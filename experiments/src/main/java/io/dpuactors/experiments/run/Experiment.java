package io.dpuactors.experiments.run;

import java.util.List;
import java.util.Locale;

/** The published experiments. */
public enum Experiment {
  /** Deflates 256 blocks of 1 MiB of random text. */
  COMPRESSION(
      "What do actors cost when blocks in memory are deflated?",
      "256 blocks of 1 MiB, in registered memory before the clock starts",
      false,
      Experiment.inFlight("compression")),
  /** Transfers 256 blocks of 1 MiB over the fast path. */
  COMCH(
      "What do actors cost when blocks come over comch's fast path?",
      "256 blocks of 1 MiB, sent by a server in another process",
      true,
      List.of(new Row("fast-path", "comch, fast path", 1))),
  /** Copies 256 blocks of 1 MiB of another process. */
  DMA(
      "What do actors cost when blocks of another process are copied by DMA?",
      "256 blocks of 1 MiB, exported by a server in another process",
      true,
      Experiment.inFlight("dma"));

  private final String question;
  private final String input;
  private final boolean hasServer;

  @SuppressWarnings("ImmutableEnumChecker") // immutable: created by List.of
  private final List<Row> rows;

  Experiment(String question, String input, boolean hasServer, List<Row> rows) {
    this.question = question;
    this.input = input;
    this.hasServer = hasServer;
    this.rows = rows;
  }

  private static List<Row> inFlight(String what) {
    return List.of(
        new Row("1-in-flight", what + ", 1 in flight", 1),
        new Row("4-in-flight", what + ", 4 in flight", 4));
  }

  /** Returns the question that it answers. */
  public String question() {
    return question;
  }

  /** Returns a description of its input. */
  public String input() {
    return input;
  }

  /** Returns whether clients need a server, in a separate process on each side. */
  public boolean hasServer() {
    return hasServer;
  }

  /** Returns the rows of its table. */
  public List<Row> rows() {
    return rows;
  }

  /** Returns its name on the command line and in files. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
