package io.dpuactors.experiments.statistics;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Two columns, and statistics of their pairs. A failed trial is counted, but is in no column; its
 * pair has no loss and no ratio.
 *
 * @param actors data rates, GiB/s
 * @param plain data rates of plain C, GiB/s
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

  /** Compares the two sides of the pairs. */
  public static Comparison of(List<Pair> pairs) {
    List<Pair> complete = pairs.stream().filter(Pair::isComplete).toList();
    Summary actors = present(pairs, Pair::actors);
    Summary plain = present(pairs, Pair::plain);
    long faster = complete.stream().filter(Pair::isOutperformed).count();
    return new Comparison(
        actors,
        plain,
        column(complete, Pair::lossPercent),
        column(complete, Pair::ratio),
        complete.isEmpty() ? Double.NaN : (double) faster / complete.size(),
        pairs.size(),
        pairs.size() - actors.count(),
        pairs.size() - plain.count());
  }

  private static Summary present(List<Pair> pairs, Function<Pair, OptionalDouble> value) {
    return Summary.of(
        pairs.stream()
            .map(value)
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .toArray());
  }

  private static Summary column(List<Pair> pairs, ToDoubleFunction<Pair> value) {
    return Summary.of(pairs.stream().mapToDouble(value).toArray());
  }
}
