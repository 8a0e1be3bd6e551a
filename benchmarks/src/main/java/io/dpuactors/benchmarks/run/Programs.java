package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.load.Load;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command lines of both sides' programs. Immutable.
 *
 * @param dpu words that start {@code dpu}, without a command
 * @param plain folder of the plain C programs
 */
public record Programs(List<String> dpu, Path plain) {
  /** Copies the list. */
  public Programs {
    dpu = List.copyOf(dpu);
  }

  /**
   * Returns a paced program: a line on standard input begins a trial, which prints a line of JSON.
   */
  List<String> actors(Point point, int trials) {
    List<String> words = new ArrayList<>(dpu);
    words.add("bench-tasks");
    words.addAll(options(point, trials));
    words.addAll(List.of("--engines", Integer.toString(point.engines())));
    words.addAll(List.of("--batch", Integer.toString(point.load().batch())));
    if (point.latency() instanceof Point.Paced paced) {
      words.addAll(List.of("--rate", Double.toString(paced.perSecond())));
    }
    words.add("-Ddpu.library=softdpu");
    words.add("-Ddpu.engine.idle=" + point.idle());
    return words;
  }

  /** Returns the same in plain C. */
  List<String> plain(Point point, int trials) {
    List<String> words = new ArrayList<>(List.of(plain.resolve("tasks-c").toString()));
    words.addAll(options(point, trials));
    words.addAll(List.of("--idle", point.idle()));
    return words;
  }

  private static List<String> options(Point point, int trials) {
    Load load = point.load();
    return List.of(
        "--kind",
        point.kind(),
        "--window",
        Integer.toString(load.window()),
        "--size",
        Integer.toString(load.bytes()),
        "--count",
        Long.toString(point.count()),
        "--trials",
        Integer.toString(trials),
        "--paced");
  }
}
