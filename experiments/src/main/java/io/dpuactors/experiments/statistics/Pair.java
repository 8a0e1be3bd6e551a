package io.dpuactors.experiments.statistics;

import java.util.OptionalDouble;

/**
 * The trials of one number, one per side, that ran one after the other.
 *
 * @param trial number, from 1
 * @param actors data rate, GiB/s; empty when the trial failed
 * @param plain data rate of plain C, GiB/s; empty when the trial failed
 */
public record Pair(int trial, OptionalDouble actors, OptionalDouble plain) {
  /** Whether there is something to compare. */
  public boolean isComplete() {
    return actors.isPresent() && plain.isPresent();
  }

  /** What the actors lose, in percent of plain C; negative when they are faster. */
  public double lossPercent() {
    return (1 - ratio()) * 100;
  }

  /** Actors over plain C. */
  public double ratio() {
    return actors.orElseThrow() / plain.orElseThrow();
  }

  /** Whether the actors were strictly faster. */
  public boolean isOutperformed() {
    return actors.orElseThrow() > plain.orElseThrow();
  }
}
