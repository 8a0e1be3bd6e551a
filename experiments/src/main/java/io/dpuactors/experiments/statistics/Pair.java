package io.dpuactors.experiments.statistics;

import java.util.OptionalDouble;

/**
 * The successive trials of both sides with one number.
 *
 * @param trial number, from 1
 * @param actors data rate, GiB/s; empty when the trial failed
 * @param plain data rate of plain C, GiB/s; empty when the trial failed
 */
public record Pair(int trial, OptionalDouble actors, OptionalDouble plain) {
  /** Returns whether both trials succeeded. */
  public boolean isComplete() {
    return actors.isPresent() && plain.isPresent();
  }

  /** Returns the loss of the actors, in percent of plain C; negative when they are faster. */
  public double lossPercent() {
    return (1 - ratio()) * 100;
  }

  /** Returns the ratio of actors over plain C. */
  public double ratio() {
    return actors.orElseThrow() / plain.orElseThrow();
  }

  /** Returns whether the actors were strictly faster. */
  public boolean isOutperformed() {
    return actors.orElseThrow() > plain.orElseThrow();
  }
}
