package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.measure.TrialProgram;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One line of a scenario's table: a program per side, which take turns.
 *
 * @param key unique in its scenario
 * @param label text for the table
 * @param metric kind of the values
 * @param parameters for the report
 * @param gibPerTrial data that a trial moves; 0 if not applicable
 * @param environment variables of both programs
 * @param warmUps trials of each program that do not count
 * @param isCold whether each trial has a fresh process
 * @param reading reads the line of a trial
 * @param actors command line, with the number of trials
 * @param plain the same in plain C; null without such a side
 * @param servers command lines of the servers that the programs need
 */
record Point(
    String key,
    String label,
    Metric metric,
    Map<String, String> parameters,
    double gibPerTrial,
    Map<String, String> environment,
    int warmUps,
    boolean isCold,
    TrialProgram.Reading reading,
    List<String> actors,
    @Nullable List<String> plain,
    Map<Side, List<String>> servers) {
  private static final Duration TRIAL_LIMIT = Duration.ofMinutes(2);

  /** Runs the trials: A B A B. The result contains failures. */
  PointResult run(Bench bench) throws InterruptedException {
    try (TrialProgram ours = program(bench, Side.ACTORS, actors);
        @Nullable TrialProgram theirs = plain == null ? null : program(bench, Side.PLAIN, plain)) {
      for (int i = 0; isCold && i < warmUps; i++) {
        ours.run();
      }
      List<Trial> trials = new ArrayList<>();
      for (int number = 1; number <= bench.trials(); number++) {
        Trial trial = new Trial(number, ours.run(), theirs == null ? null : theirs.run());
        trials.add(trial);
        bench.progress().print(line(trial));
      }
      return new PointResult(
          key,
          label,
          metric,
          parameters,
          trials,
          gibPerTrial,
          ours.peakMib(),
          theirs == null ? null : theirs.peakMib());
    } finally {
      if (!servers.isEmpty()) {
        bench.processes().endServers();
      }
    }
  }

  private TrialProgram program(Bench bench, Side side, List<String> command) {
    List<String> server = servers.getOrDefault(side, List.of());
    TrialProgram.Start start =
        () -> {
          if (!server.isEmpty()) {
            bench.processes().requireServer(server, side);
          }
          return bench
              .processes()
              .start(command, side, "%s.%s.err".formatted(key, side.key()), environment);
        };
    return isCold
        ? TrialProgram.cold(start, reading, TRIAL_LIMIT)
        : TrialProgram.warm(start, reading, warmUps, TRIAL_LIMIT);
  }

  private String line(Trial trial) {
    Sample theirs = trial.plain();
    return "%s: trial %d: %s%s"
        .formatted(
            label,
            trial.number(),
            text(trial.actors()),
            theirs == null ? "" : ", reference " + text(theirs));
  }

  private String text(Sample sample) {
    return sample.failure() != null
        ? "FAILED: " + sample.failure()
        : "%.4g %s".formatted(Objects.requireNonNull(sample.value()), metric.unit());
  }
}
