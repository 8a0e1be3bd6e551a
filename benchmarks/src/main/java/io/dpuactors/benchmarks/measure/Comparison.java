package io.dpuactors.benchmarks.measure;

import java.util.List;

/**
 * Two columns, and statistics of their pairs. A failed trial is counted, but is in no column; its
 * pair has no loss and no ratio.
 *
 * @param actors values, for instance data rates
 * @param plain values of plain C
 * @param loss loss of the actors, pair by pair, in percent of plain C
 * @param ratio actors over plain C, pair by pair
 * @param outperformed share of the complete pairs in which the actors were strictly faster, 0 to 1;
 *     NaN without any
 * @param pairs number of pairs that were run
 * @param failedActors failed trials of the actors
 * @param failedPlain failed trials of plain C
 */
public record Comparison(
    Summary actors,
    Summary plain,
    Summary loss,
    Summary ratio,
    double outperformed,
    int pairs,
    int failedActors,
    int failedPlain) {
  /** Minimum number of complete pairs for a statement about a target. */
  public static final int MIN_PAIRS = 30;

  /** Compares the two sides of trials. */
  public static Comparison of(List<Trial> trials) {
    List<Trial> complete = trials.stream().filter(Trial::isComplete).toList();
    Summary actors = Summary.of(Trial.values(trials, Side.ACTORS));
    Summary plain = Summary.of(Trial.values(trials, Side.PLAIN));
    long faster = complete.stream().filter(Trial::isOutperformed).count();
    return new Comparison(
        actors,
        plain,
        Summary.of(complete.stream().mapToDouble(Trial::lossPercent).toArray()),
        Summary.of(complete.stream().mapToDouble(Trial::ratio).toArray()),
        complete.isEmpty() ? Double.NaN : (double) faster / complete.size(),
        trials.size(),
        trials.size() - actors.count(),
        trials.size() - plain.count());
  }

  /** Returns whether the number of complete pairs allows a statement about a target. */
  public boolean isEnough() {
    return ratio.count() >= MIN_PAIRS;
  }
}
