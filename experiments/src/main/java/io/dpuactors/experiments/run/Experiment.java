package io.dpuactors.experiments.run;

import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.Side;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The published experiments. All clients print one line of JSON per trial, and servers one line
 * when they are ready.
 */
public enum Experiment {
  /** Deflates 256 blocks of 1 MiB of random text. */
  COMPRESSION(
      "What do actors cost when blocks in memory are deflated?",
      "256 blocks of 1 MiB, in registered memory before the clock starts",
      null,
      Experiment.inFlight("compression")),
  /** Transfers 256 blocks of 1 MiB over the fast path. */
  COMCH(
      "What do actors cost when blocks come over comch's fast path?",
      "256 blocks of 1 MiB, sent by a server in another process",
      "data",
      List.of(new Row("fast-path", "comch, fast path", 1))),
  /** Copies 256 blocks of 1 MiB of another process. */
  DMA(
      "What do actors cost when blocks of another process are copied by DMA?",
      "256 blocks of 1 MiB, exported by a server in another process",
      "dma",
      Experiment.inFlight("dma"));

  /**
   * One line of the table.
   *
   * @param key name in files
   * @param label name in reports
   * @param parallel tasks in flight
   */
  public record Row(String key, String label, int parallel) {}

  private final String question;
  private final String input;
  private final @Nullable String service;

  @SuppressWarnings("ImmutableEnumChecker") // immutable: created by List.of
  private final List<Row> rows;

  Experiment(String question, String input, @Nullable String service, List<Row> rows) {
    this.question = question;
    this.input = input;
    this.service = service;
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

  /** Returns the rows of its table. */
  public List<Row> rows() {
    return rows;
  }

  /** Returns its name on the command line and in files. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the command line of a program that runs trials.
   *
   * @param blocks file of the compression experiment
   */
  List<String> client(Programs programs, Path blocks, Row row, Side side, int trials) {
    boolean isActors = side == Side.ACTORS;
    List<String> words;
    if (service == null) {
      words = isActors ? programs.dpu("compress-blocks") : programs.plain("compress-blocks-c");
      words.add(blocks.toString());
    } else {
      words =
          isActors
              ? programs.dpu("client", service, "--json")
              : programs.plain(service + "-c", "client");
      words.add("--verify");
    }
    words.addAll(List.of("--trials", Integer.toString(trials)));
    if (this != COMCH) {
      words.addAll(List.of("--parallel", Integer.toString(row.parallel())));
    }
    return words;
  }

  /** Returns the command line of the server for the clients of a side; empty without a server. */
  List<String> server(Programs programs, Side side) {
    if (service == null) {
      return List.of();
    }
    return side == Side.ACTORS
        ? programs.dpu("serve", service)
        : programs.plain(service + "-c", "serve");
  }
}
