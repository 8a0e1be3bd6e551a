package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.benchmarks.result.Sample;
import io.dpuactors.benchmarks.result.Trial;
import io.dpuactors.experiments.Checkout;
import io.dpuactors.experiments.run.Child;
import io.dpuactors.experiments.run.RunException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Measures the cost of an idle engine, and of its start. */
final class StandRun {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private StandRun() {}

  /** Measures an engine with an open context under each idle strategy that sleeps. */
  static List<PointResult> idle(Bench bench) throws InterruptedException {
    List<PointResult> points = new ArrayList<>();
    for (String strategy : List.of("adaptive", "event")) {
      List<String> command = tasks(bench.programs().dpu(), bench.trials() + 1);
      command.addAll(List.of("--paced", "--idle-seconds", bench.quick() ? "1" : "5"));
      command.add("-Ddpu.engine.idle=" + strategy);
      Path errors = bench.logs().resolve("idle-" + strategy + ".err");
      List<Trial> trials = new ArrayList<>();
      try (Side side = new Side(command, Map.of(), Metric.CORE_PERCENT, 1, errors)) {
        for (int number = 1; number <= bench.trials(); number++) {
          trials.add(new Trial(number, side.run(), null));
        }
        points.add(
            point("idle-" + strategy, "idle, " + strategy, Metric.CORE_PERCENT, trials, side));
      }
      bench.observer().told("idle, " + strategy + ": done");
    }
    return points;
  }

  /**
   * Measures one DMA task of a new process with the options of {@code ./dpu} for short programs,
   * with and without its archive.
   */
  static List<PointResult> start(Bench bench) throws InterruptedException {
    List<String> words = Checkout.brief(bench.programs().dpu());
    List<String> bare =
        new ArrayList<>(
            words.stream().filter(word -> !word.startsWith("-XX:SharedArchiveFile")).toList());
    List<PointResult> points = new ArrayList<>();
    points.add(start(bench, "start-archive", "as ./dpu starts it", tasks(words, 1)));
    points.add(start(bench, "start-bare", "without a class-data archive", tasks(bare, 1)));
    return points;
  }

  private static PointResult start(Bench bench, String key, String label, List<String> command)
      throws InterruptedException {
    List<Trial> trials = new ArrayList<>();
    for (int number = 1; number <= bench.trials() + 1; number++) {
      Sample sample = startOnce(command, bench.logs().resolve(key + ".err"));
      if (number > 1) {
        // The first trial reads files into memory.
        trials.add(new Trial(number - 1, sample, null));
      }
    }
    bench.observer().told(label + ": done");
    return point(key, label, Metric.SECONDS, trials, null);
  }

  private static Sample startOnce(List<String> command, Path errors) throws InterruptedException {
    long beginNs = System.nanoTime();
    try (Child child = Child.start(command, Map.of(), errors)) {
      Optional<String> line = child.nextLine(LIMIT);
      double seconds = (System.nanoTime() - beginNs) / 1e9;
      int status = child.finish(LIMIT);
      return line.isPresent() && status == 0
          ? Sample.of(seconds)
          : Sample.failed("status " + status + child.complaint());
    } catch (RunException e) {
      return Sample.failed(String.valueOf(e.getMessage()));
    }
  }

  private static List<String> tasks(List<String> dpu, int trials) {
    List<String> command = new ArrayList<>(dpu);
    command.addAll(List.of("bench-tasks", "--count", "1", "--window", "1"));
    command.addAll(List.of("--trials", Integer.toString(trials), "-Ddpu.library=softdpu"));
    return command;
  }

  private static PointResult point(
      String key, String label, Metric metric, List<Trial> trials, @Nullable Side side) {
    return new PointResult(
        key, label, metric, Map.of(), trials, 0, side == null ? null : side.peakMib(), null);
  }
}
