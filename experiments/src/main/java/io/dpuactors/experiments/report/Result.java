package io.dpuactors.experiments.report;

import io.dpuactors.benchmarks.measure.Comparison;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.experiments.run.Experiment;
import io.dpuactors.experiments.run.Experiment.Row;
import io.dpuactors.experiments.run.Mode;
import io.dpuactors.experiments.run.TrialLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of an experiment.
 *
 * @param trials requested number for each side, in each mode and row
 * @param parts one for each mode and row
 * @param parameters machine, versions, settings: names and values for the report
 * @param loads of the machine, each time the run was begun or resumed
 * @param warnings problems other than failed trials
 */
public record Result(
    Experiment experiment,
    int trials,
    List<Part> parts,
    Map<String, String> parameters,
    List<Double> loads,
    List<String> warnings) {
  /**
   * One mode and row.
   *
   * @param trials those that both sides have run
   */
  public record Part(Mode mode, Row row, List<Trial> trials) {
    /** Returns the key for file names. */
    String key() {
      return mode.key() + "-" + row.key();
    }

    /** Returns the name for tables and plots. */
    String label() {
      return row.label() + ", " + mode.key();
    }

    Comparison comparison() {
      return Comparison.of(trials);
    }

    List<Trial.Failure> failures() {
      return trials.stream().flatMap(trial -> trial.failures().stream()).toList();
    }
  }

  /** Reads the result from a log. */
  public static Result of(
      Experiment experiment, List<Mode> modes, int trials, TrialLog log, List<String> warnings) {
    List<Part> parts = new ArrayList<>();
    for (Mode mode : modes) {
      for (Row row : experiment.rows()) {
        parts.add(new Part(mode, row, trials(mode, row, trials, log)));
      }
    }
    return new Result(
        experiment, trials, List.copyOf(parts), log.parameters(), log.loads(), warnings);
  }

  private static List<Trial> trials(Mode mode, Row row, int count, TrialLog log) {
    List<Trial> trials = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      Optional<Sample> actors = log.find(new TrialLog.Slot(mode, row.key(), Side.ACTORS, number));
      Optional<Sample> plain = log.find(new TrialLog.Slot(mode, row.key(), Side.PLAIN, number));
      if (actors.isPresent() && plain.isPresent()) {
        trials.add(new Trial(number, actors.get(), plain.get()));
      }
    }
    return List.copyOf(trials);
  }

  /** Returns whether all trials were run, and none failed. */
  public boolean isGood() {
    return warnings.isEmpty()
        && parts.stream().allMatch(p -> p.trials().size() == trials && p.failures().isEmpty());
  }
}
