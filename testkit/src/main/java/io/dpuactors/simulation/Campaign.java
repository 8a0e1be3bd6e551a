package io.dpuactors.simulation;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Runs many seeds of scenarios, up to the first failure or a limit. One thread. */
public final class Campaign {
  /**
   * A failed seed.
   *
   * @param problem the first violated promise
   */
  public record Failure(long seed, String problem) {}

  /**
   * The result of the seeds of one scenario.
   *
   * @param seeds number of seeds that ran
   * @param seconds real time of the runs, seconds
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
      Optional<Failure> failure) {
    /** Returns the result of no seed. */
    public static Result none(String scenario) {
      return new Result(scenario, 0, 0, 0, 0, 0, Map.of(), Optional.empty());
    }

    /** Returns the result of the seeds of both, with the first failure of them. */
    public Result plus(Result other) {
      Map<String, Long> both = new TreeMap<>(reached);
      other.reached.forEach((what, count) -> both.merge(what, count, Long::sum));
      return new Result(
          scenario,
          seeds + other.seeds,
          seconds + other.seconds,
          steps + other.steps,
          virtualNs + other.virtualNs,
          hash + other.hash,
          both,
          first(failure, other.failure));
    }

    private static Optional<Failure> first(Optional<Failure> one, Optional<Failure> other) {
      return one.isEmpty() || (other.isPresent() && other.get().seed() < one.get().seed())
          ? other
          : one;
    }
  }

  private final BooleanSupplier isOver;
  private final LongConsumer progress;

  /**
   * Creates a campaign.
   *
   * @param isOver no seed begins when it returns true
   * @param progress accepts the number of seeds of the scenario that have run, after each seed
   */
  public Campaign(BooleanSupplier isOver, LongConsumer progress) {
    this.isOver = isOver;
    this.progress = progress;
  }

  /**
   * Runs the seeds from {@code from} on.
   *
   * @param seeds number of seeds
   */
  public Result run(String scenario, long from, long seeds) {
    Result result = Result.none(scenario);
    try (Simulator simulator = Simulator.create()) {
      while (result.seeds() < seeds && result.failure().isEmpty() && !isOver.getAsBoolean()) {
        long seed = from + result.seeds();
        result = result.plus(one(simulator, scenario, seed, Reduction.NONE, null));
        progress.accept(result.seeds());
      }
    }
    return result;
  }

  /** Runs one seed and reports each step. */
  public static Result replay(
      String scenario, long seed, Reduction reduction, Consumer<TraceStep> reader) {
    try (Simulator simulator = Simulator.create()) {
      return one(simulator, scenario, seed, reduction, reader);
    }
  }

  private static Result one(
      Simulator simulator,
      String scenario,
      long seed,
      Reduction reduction,
      @Nullable Consumer<TraceStep> reader) {
    long firstNs = System.nanoTime();
    Outcome outcome = simulator.run(scenario, seed, reduction, reader);
    Map<String, Long> reached = new TreeMap<>();
    outcome.reached().forEach((what, count) -> reached.put(what, (long) count));
    return new Result(
        scenario,
        1,
        (System.nanoTime() - firstNs) / 1e9,
        outcome.steps(),
        outcome.virtualNs(),
        outcome.hash() * (2 * seed + 1),
        reached,
        outcome.problem().map(problem -> new Failure(seed, problem)));
  }
}
