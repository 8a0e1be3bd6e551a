package io.dpuactors.experiments.report;

import io.dpuactors.experiments.run.Experiment;
import io.dpuactors.experiments.run.Mode;
import io.dpuactors.experiments.run.Row;
import io.dpuactors.experiments.run.Side;
import io.dpuactors.experiments.run.Trial;
import io.dpuactors.experiments.run.TrialLog;
import io.dpuactors.experiments.statistics.Comparison;
import io.dpuactors.experiments.statistics.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

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
   * @param pairs those whose two trials were run
   * @param failures the trials that failed, in the order of the pairs
   */
  public record Part(
      Mode mode, Row row, List<Pair> pairs, List<Trial> failures, Comparison comparison) {
    /** Returns the key for file names. */
    String key() {
      return mode.key() + "-" + row.key();
    }
  }

  /** Reads the result from a log. */
  public static Result of(
      Experiment experiment, List<Mode> modes, int trials, TrialLog log, List<String> warnings) {
    List<Part> parts = new ArrayList<>();
    for (Mode mode : modes) {
      for (Row row : experiment.rows()) {
        parts.add(part(mode, row, trials, log));
      }
    }
    return new Result(
        experiment, trials, List.copyOf(parts), log.parameters(), log.loads(), warnings);
  }

  private static Part part(Mode mode, Row row, int trials, TrialLog log) {
    List<Pair> pairs = new ArrayList<>();
    List<Trial> failures = new ArrayList<>();
    for (int number = 1; number <= trials; number++) {
      Optional<Trial> actors = log.find(new Trial.Slot(mode, row.key(), Side.ACTORS, number));
      Optional<Trial> plain = log.find(new Trial.Slot(mode, row.key(), Side.PLAIN, number));
      if (actors.isPresent() && plain.isPresent()) {
        pairs.add(new Pair(number, rate(actors.get()), rate(plain.get())));
        List.of(actors.get(), plain.get()).stream()
            .filter(trial -> trial.failure().isPresent())
            .forEach(failures::add);
      }
    }
    return new Part(mode, row, List.copyOf(pairs), List.copyOf(failures), Comparison.of(pairs));
  }

  private static OptionalDouble rate(Trial trial) {
    return trial.failure().isPresent()
        ? OptionalDouble.empty()
        : OptionalDouble.of(trial.rateGibps());
  }

  /** Returns the modes that were run, in order. */
  public List<Mode> modes() {
    return parts.stream().map(Part::mode).distinct().toList();
  }

  /** Returns the rows of a mode. */
  public List<Part> of(Mode mode) {
    return parts.stream().filter(part -> part.mode() == mode).toList();
  }

  /** Returns whether all trials were run, and none failed. */
  public boolean isGood() {
    return warnings.isEmpty()
        && parts.stream().allMatch(p -> p.pairs().size() == trials && p.failures().isEmpty());
  }
}
