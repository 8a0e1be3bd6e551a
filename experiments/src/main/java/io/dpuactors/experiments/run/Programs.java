package io.dpuactors.experiments.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Command lines of both sides' programs. All clients print one line of JSON per trial, and servers
 * one line when they are ready. Immutable.
 */
public final class Programs {
  /** The plain C programs are built for it, too. */
  private static final String LIBRARY = "-Ddpu.library=softdpu";

  private final List<String> dpu;
  private final Path plain;
  private final Path blocks;

  private Programs(List<String> dpu, Path plain, Path blocks) {
    this.dpu = List.copyOf(dpu);
    this.plain = plain;
    this.blocks = blocks;
  }

  /**
   * Creates the command lines.
   *
   * @param dpu words that start {@code dpu}, without a command
   * @param plain the folder with the plain C programs
   * @param blocks the file for the compression experiment
   */
  public static Programs create(List<String> dpu, Path plain, Path blocks) {
    return new Programs(dpu, plain, blocks);
  }

  /**
   * Returns the command line of a program that runs trials.
   *
   * @param paced whether each trial waits for a line on stdin
   */
  List<String> client(Experiment experiment, Row row, Side side, int trials, boolean paced) {
    List<String> words =
        new ArrayList<>(
            switch (side) {
              case ACTORS -> actorsClient(experiment, row, trials);
              case PLAIN -> plainClient(experiment, row, trials);
            });
    if (paced) {
      words.add("--paced");
    }
    return words;
  }

  private List<String> actorsClient(Experiment experiment, Row row, int trials) {
    String count = Integer.toString(trials);
    String parallel = Integer.toString(row.parallel());
    return switch (experiment) {
      case COMPRESSION ->
          dpu("compress-blocks", "--parallel", parallel, "--trials", count, blocks.toString());
      case COMCH -> dpu("client", "data", "--json", "--verify", "--trials", count);
      case DMA ->
          dpu("client", "dma", "--json", "--verify", "--parallel", parallel, "--trials", count);
    };
  }

  private List<String> plainClient(Experiment experiment, Row row, int trials) {
    String count = Integer.toString(trials);
    String parallel = Integer.toString(row.parallel());
    return switch (experiment) {
      case COMPRESSION ->
          plain("compress-blocks-c", "--parallel", parallel, "--trials", count, blocks.toString());
      case COMCH -> plain("data-c", "client", "--verify", "--trials", count);
      case DMA -> plain("dma-c", "client", "--verify", "--parallel", parallel, "--trials", count);
    };
  }

  /** Returns the command line of the server for an experiment's clients of one side. */
  List<String> server(Experiment experiment, Side side) {
    return switch (experiment) {
      case COMPRESSION -> throw new IllegalArgumentException("compression has no server");
      case COMCH -> side == Side.ACTORS ? dpu("serve", "data") : plain("data-c", "serve");
      case DMA -> side == Side.ACTORS ? dpu("serve", "dma") : plain("dma-c", "serve");
    };
  }

  private List<String> dpu(String... words) {
    List<String> all = new ArrayList<>(dpu);
    all.addAll(List.of(words));
    all.add(LIBRARY);
    return all;
  }

  private List<String> plain(String program, String... words) {
    List<String> all = new ArrayList<>(List.of(plain.resolve(program).toString()));
    all.addAll(Arrays.asList(words));
    return all;
  }
}
