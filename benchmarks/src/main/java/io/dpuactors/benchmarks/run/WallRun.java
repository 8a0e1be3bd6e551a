package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Measures the time of whole processes, from start to end, with files in the page cache. Compares
 * {@code ./dpu} with igzip, and with the {@code ./dpu} of another checkout. Values are seconds.
 */
final class WallRun {
  /** Variable with a checkout of the commit whose start time is the reference. */
  static final String BASE = "DPU_BENCH_BASE";

  /** Outputs of level 1 may be larger than those of igzip by this factor. */
  private static final double SIZE_BOUND = 1.05;

  private static final String SMALL = "4K";

  private final Bench bench;
  private final String middle;
  private final String large;
  private final Optional<Path> base;
  private final Map<String, List<Trial>> trials = new LinkedHashMap<>();

  private WallRun(Bench bench) {
    this.bench = bench;
    this.middle = bench.quick() ? "16M" : "400M";
    this.large = bench.quick() ? "64M" : "1600M";
    this.base = Optional.ofNullable(System.getenv(BASE)).map(Path::of);
  }

  static List<PointResult> run(Bench bench) throws RunException, IOException, InterruptedException {
    WallRun run = new WallRun(bench);
    try {
      run.measure();
      return run.results();
    } finally {
      run.deleteFiles();
    }
  }

  private void measure() throws RunException, InterruptedException {
    for (String size : List.of(SMALL, middle, large)) {
      String textgen = bench.programs().plain("textgen").get(0);
      seconds(
          Side.PLAIN,
          List.of("sh", "-c", "exec \"$0\" $1 >\"$2\"", textgen, size, "" + text(size)));
    }
    if (base.isEmpty()) {
      bench.progress().print("no time of an earlier commit: %s names no checkout".formatted(BASE));
    }
    // The first round reads programs and files into the page cache, and does not count.
    for (int number = 0; number <= bench.trials(); number++) {
      Map<String, Trial> round = round(number);
      if (number > 0) {
        round.forEach(
            (key, trial) -> trials.computeIfAbsent(key, k -> new ArrayList<>()).add(trial));
        bench.progress().print("wall, trial %d: done".formatted(number));
      }
    }
  }

  private Map<String, Trial> round(int number) throws InterruptedException {
    Map<String, Trial> round = new LinkedHashMap<>();
    Trial some = pair(number, side -> compress(side, middle));
    round.put(
        "compress", withinSize(some, size(compressed(Side.ACTORS)), size(compressed(Side.PLAIN))));
    round.put("decompress", pair(number, this::decompress));
    Trial more = pair(number, side -> compress(side, large));
    round.put(
        "per-byte", new Trial(number, more(some, more, Side.ACTORS), more(some, more, Side.PLAIN)));
    if (base.isPresent()) {
      Path other = base.get();
      round.put(
          "start",
          pair(
              number,
              side ->
                  dpu(side == Side.ACTORS ? bench.root() : other, side, "compress", text(SMALL))));
    }
    return round;
  }

  /** The command of a side. */
  private interface Command {
    List<String> of(Side side);
  }

  private Trial pair(int number, Command command) throws InterruptedException {
    return new Trial(number, sample(Side.ACTORS, command), sample(Side.PLAIN, command));
  }

  private Sample sample(Side side, Command command) throws InterruptedException {
    try {
      return Sample.of(seconds(side, command.of(side)));
    } catch (RunException e) {
      return Sample.failed(String.valueOf(e.getMessage()));
    }
  }

  private double seconds(Side side, List<String> command)
      throws RunException, InterruptedException {
    long beginNs = System.nanoTime();
    FileRun.finish(bench.processes().start(command, side, "wall-" + side.key() + ".err", Map.of()));
    return (System.nanoTime() - beginNs) / 1e9;
  }

  private List<String> compress(Side side, String size) {
    return side == Side.ACTORS
        ? dpu(bench.root(), side, "compress", text(size))
        : List.of("igzip", "-1", "-f", "-o", "" + compressed(side), "" + text(size));
  }

  /** Each side restores the output of its last compression, which has the middle size. */
  private List<String> decompress(Side side) {
    Path back = bench.logs().resolve(side.key() + ".back");
    return side == Side.ACTORS
        ? List.of(
            "" + bench.root().resolve("dpu"),
            "decompress",
            "-q",
            "-f",
            "-o",
            "" + back,
            "" + compressed(side))
        : List.of("igzip", "-d", "-f", "-o", "" + back, "" + compressed(side));
  }

  private List<String> dpu(Path checkout, Side side, String command, Path input) {
    return List.of(
        "" + checkout.resolve("dpu"), command, "-q", "-f", "-o", "" + compressed(side), "" + input);
  }

  /** Returns the time for the additional bytes of the large file. */
  private static Sample more(Trial some, Trial more, Side side) {
    Double less = some.value(side);
    Double all = more.value(side);
    if (less == null || all == null) {
      return Sample.failed("one of the two files failed");
    }
    return all > less ? Sample.of(all - less) : Sample.failed("the large file took less time");
  }

  /**
   * Returns a failed trial if the output of the actors is too large for a comparison. A side that
   * failed has no output, or an incomplete one.
   *
   * @param ours size of the output of the actors
   * @param theirs size of the output of igzip
   */
  static Trial withinSize(Trial trial, long ours, long theirs) {
    return !trial.isComplete() || ours <= theirs * SIZE_BOUND
        ? trial
        : new Trial(
            trial.number(),
            Sample.failed("%d bytes, igzip writes %d".formatted(ours, theirs)),
            trial.plain());
  }

  private static long size(Path file) {
    try {
      return Files.exists(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path text(String size) {
    return bench.logs().resolve("text-" + size);
  }

  private Path compressed(Side side) {
    return bench.logs().resolve(side.key() + ".gz");
  }

  private List<PointResult> results() {
    Map<String, String> labels =
        Map.of(
            "compress", "compress %s, beside igzip -1".formatted(middle),
            "decompress", "decompress %s, beside igzip -d".formatted(middle),
            "per-byte", "compress %s minus %s, beside igzip -1".formatted(large, middle),
            "start",
                "compress %s, beside %s".formatted(SMALL, base.map(Path::toString).orElse("")));
    List<PointResult> results = new ArrayList<>();
    trials.forEach(
        (key, all) ->
            results.add(
                PointResult.of(
                    key, Objects.requireNonNull(labels.get(key)), Metric.SECONDS, Map.of(), all)));
    return results;
  }

  private void deleteFiles() throws IOException {
    for (String size : List.of(SMALL, middle, large)) {
      Files.deleteIfExists(text(size));
    }
    for (Side side : Side.values()) {
      Files.deleteIfExists(compressed(side));
      Files.deleteIfExists(bench.logs().resolve(side.key() + ".back"));
    }
  }
}
