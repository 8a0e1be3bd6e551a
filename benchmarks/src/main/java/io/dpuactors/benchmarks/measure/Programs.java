package io.dpuactors.benchmarks.measure;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Command lines of both sides' programs. Immutable.
 *
 * @param dpu words that start {@code dpu}, without a command
 * @param plain folder of the plain C programs
 */
public record Programs(List<String> dpu, Path plain) {
  /** The plain C programs are built for the same library. */
  private static final String LIBRARY = "-Ddpu.library=softdpu";

  /** Copies the list. */
  public Programs {
    dpu = List.copyOf(dpu);
  }

  /** Returns the command line of a command of {@code dpu}, to which a caller may add words. */
  public List<String> dpu(String... words) {
    List<String> all = new ArrayList<>(dpu);
    all.addAll(Arrays.asList(words));
    all.add(LIBRARY);
    return all;
  }

  /** Returns the command line of a plain C program, to which a caller may add words. */
  public List<String> plain(String program, String... words) {
    List<String> all = new ArrayList<>(List.of(plain.resolve(program).toString()));
    all.addAll(Arrays.asList(words));
    return all;
  }

  /**
   * Returns the programs with the JVM options of {@code ./dpu} for programs that run briefly, or
   * whose blocks do not pass through Java.
   */
  public Programs brief() {
    String options = System.getProperty("dpu.short-options", "").strip();
    List<String> words = new ArrayList<>(dpu);
    if (!options.isEmpty()) {
      words.addAll(1, List.of(options.split(" +", -1)));
    }
    return new Programs(words, plain);
  }

  /** Returns the programs without the class-data archive of {@code ./dpu}. */
  public Programs withoutArchive() {
    return new Programs(
        dpu.stream().filter(word -> !word.startsWith("-XX:SharedArchiveFile")).toList(), plain);
  }
}
