package io.dpuactors.simulation;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs many seeds of scenarios, up to the first failure or a limit of real time. One thread. */
public final class Campaign {
  /**
   * The result of the seeds of one scenario.
   *
   * @param seeds number of seeds that ran
   * @param seconds real time
   * @param steps of all seeds
   * @param virtualNs virtual time of all seeds, nanoseconds
   * @param hash of the hashes of all seeds, in any order
   * @param reached cases that the seeds reached, with their numbers
   * @param failure the failed seed
   */
  public record Result(
      String scenario,
      long seeds,
      double seconds,
      long steps,
      long virtualNs,
      long hash,
      Map<String, Long> reached,
      Optional<Outcome> failure) {}

  private final long beganNs = System.nanoTime();
  private final OptionalLong limitNs;

  /**
   * Creates a campaign that begins now.
   *
   * @param limitNs no seed begins after this real time; empty: no limit
   */
  public Campaign(OptionalLong limitNs) {
    this.limitNs = limitNs;
  }

  /**
   * Runs the seeds from {@code from} on.
   *
   * @param seeds number of seeds
   */
  public Result run(String scenario, long from, long seeds) {
    try (Simulator simulator = Simulator.create()) {
      return run(simulator, scenario, from, seeds, null);
    }
  }

  /** Does {@link #run}, and reports each step as a line. */
  public Result trace(String scenario, long from, long seeds, Consumer<String> lines) {
    try (Simulator simulator = Simulator.create()) {
      return run(simulator, scenario, from, seeds, lines);
    }
  }

  private Result run(
      Simulator simulator,
      String scenario,
      long from,
      long seeds,
      @Nullable Consumer<String> lines) {
    long firstNs = System.nanoTime();
    long ran = 0;
    long steps = 0;
    long virtualNs = 0;
    long hash = 0;
    Map<String, Long> reached = new TreeMap<>();
    Optional<Outcome> failure = Optional.empty();
    while (ran < seeds && failure.isEmpty() && hasTime()) {
      Outcome outcome = simulator.run(scenario, from + ran, lines);
      ran++;
      steps += outcome.steps();
      virtualNs += outcome.virtualNs();
      hash += outcome.hash() * (2 * outcome.seed() + 1);
      outcome.reached().forEach((what, count) -> reached.merge(what, (long) count, Long::sum));
      failure = Optional.of(outcome).filter(one -> one.problem().isPresent());
    }
    double seconds = (System.nanoTime() - firstNs) / 1e9;
    return new Result(scenario, ran, seconds, steps, virtualNs, hash, reached, failure);
  }

  private boolean hasTime() {
    return limitNs.isEmpty() || System.nanoTime() - beganNs < limitNs.getAsLong();
  }
}
