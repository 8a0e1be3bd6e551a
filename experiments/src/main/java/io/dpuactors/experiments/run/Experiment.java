package io.dpuactors.experiments.run;

import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The experiments. All clients print one line of JSON per trial, and servers one line when they are
 * ready.
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
      List.of(new Row("fast-path", "comch, fast path", 1, Optional.empty()))),
  /** Copies 256 blocks of 1 MiB of another process. */
  DMA(
      "What do actors cost when blocks of another process are copied by DMA?",
      "256 blocks of 1 MiB, exported by a server in another process",
      "dma",
      Experiment.inFlight("dma")),
  /** Accesses memory of another process, and sends messages to it. */
  RDMA(
      "What do actors cost on a connection of RDMA?",
      "tasks of 64 B to 16 MiB on one connection to a server in another process",
      "rdma",
      Experiment.transfers());

  /**
   * One line of the table.
   *
   * @param key name in files
   * @param label name in reports
   * @param parallel tasks in flight
   * @param transfer tasks of RDMA
   */
  public record Row(String key, String label, int parallel, Optional<Transfer> transfer) {}

  /**
   * The tasks of a trial.
   *
   * @param operation on the command line
   * @param bytes of each task
   */
  public record Transfer(String operation, int bytes) {
    /** Returns the options of a client. Contents of messages are not checked. */
    private List<String> options(int parallel) {
      long count = Math.max(2L * parallel, Math.min(MAX_TASKS, TRIAL_BYTES / bytes));
      List<String> words =
          new ArrayList<>(
              List.of("--operation", operation, "--size", "" + bytes, "--count", "" + count));
      if (!operation.equals(SEND)) {
        words.add("--verify");
      }
      return words;
    }
  }

  private static final String SEND = "send";
  private static final long MAX_TASKS = 20_000;
  private static final long TRIAL_BYTES = 128L << 20;

  /** The slots of a client share this memory if they need more. */
  private static final List<String> RDMA_SERVER =
      List.of("--connections", "4", "--memory", "64M", "--message-size", "16M");

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
        new Row("1-in-flight", what + ", 1 in flight", 1, Optional.empty()),
        new Row("4-in-flight", what + ", 4 in flight", 4, Optional.empty()));
  }

  /** Returns all operations, each with 1 and 16 tasks in flight, over sizes. */
  private static List<Row> transfers() {
    List<Row> rows = new ArrayList<>();
    for (String operation : List.of("write", "read", SEND)) {
      for (int parallel : List.of(1, 16)) {
        for (int bytes = 64; bytes <= 16 << 20; bytes *= 8) {
          rows.add(
              new Row(
                  "%s-%d-p%d".formatted(operation, bytes, parallel),
                  "%s, %s, %d in flight".formatted(operation, size(bytes), parallel),
                  parallel,
                  Optional.of(new Transfer(operation, bytes))));
        }
      }
    }
    return List.copyOf(rows);
  }

  private static String size(int bytes) {
    if (bytes >= 1 << 20) {
      return (bytes >> 20) + " MiB";
    }
    return bytes >= 1 << 10 ? (bytes >> 10) + " KiB" : bytes + " B";
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

  /** Returns whether the blocks of the actors do not pass through Java. */
  public boolean isBrief() {
    return this != RDMA;
  }

  /** Returns the target of its rows; empty: single scenarios of {@code dpu bench} have targets. */
  public OptionalDouble target(Mode mode) {
    return this == RDMA ? OptionalDouble.empty() : OptionalDouble.of(mode.target());
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
      words.addAll(
          row.transfer()
              .map(transfer -> transfer.options(row.parallel()))
              .orElse(List.of("--verify")));
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
    List<String> words =
        side == Side.ACTORS
            ? programs.dpu("serve", service)
            : programs.plain(service + "-c", "serve");
    if (this == RDMA) {
      words.addAll(RDMA_SERVER);
    }
    return words;
  }
}
