package io.dpuactors.simulation;

import com.typesafe.config.Config;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs code on simulated engines, actors and the software DPU, from one seed or several. A seed
 * determines the order of all messages, device events and timers; the same seed gives the same run.
 * Immutable. Thread: any; simulations and tests of {@code EngineTestKit} in a process run one after
 * the other.
 *
 * <pre>{@code
 * Simulation.of(7).faults("*:again=3:p=0.01").run(system -> ...);
 * }</pre>
 */
public final class Simulation {
  private final long from;
  private final long count;
  private final String plan;
  private final @Nullable Consumer<TraceStep> reader;
  private final Config config;

  private Simulation(
      long from, long count, String plan, @Nullable Consumer<TraceStep> reader, Config config) {
    this.from = from;
    this.count = count;
    this.plan = plan;
    this.reader = reader;
    this.config = config;
  }

  /** Returns a simulation of one seed without faults. */
  public static Simulation of(long seed) {
    return ofSeeds(seed, 1);
  }

  /**
   * Returns a simulation of the seeds {@code from} to {@code from + count - 1} without faults.
   *
   * @throws IllegalArgumentException if the count is negative
   */
  public static Simulation ofSeeds(long from, long count) {
    if (count < 0) {
      throw new IllegalArgumentException("the number of seeds is " + count);
    }
    return new Simulation(from, count, "", null, SimulatedConfig.NONE);
  }

  /**
   * Returns a simulation with a fault plan from the start of each run; see {@code softdpu.h}. The
   * first run rejects an invalid plan.
   */
  public Simulation faults(String plan) {
    return new Simulation(from, count, plan, reader, config);
  }

  /** Returns a simulation that reports each step of each run, such as to a {@link TraceFile}. */
  public Simulation trace(Consumer<TraceStep> reader) {
    return new Simulation(from, count, plan, reader, config);
  }

  /**
   * Returns a simulation with settings of the actor system, such as {@code ConfigFactory.load()} or
   * your {@code application.conf}. The settings of {@code simulation.conf} have precedence. All
   * dispatchers, including yours, run in the simulation: a type and an executor have no effect.
   */
  public Simulation config(Config config) {
    return new Simulation(from, count, plan, reader, config);
  }

  /**
   * Runs the code with each seed, up to the first failure.
   *
   * @param body runs on the calling thread and drives the actors with the methods of its argument.
   *     Afterwards the run continues until nothing happens any more, at most 30 minutes of virtual
   *     time. Then all engines and actors stop. A periodic timer lasts until then. A run has at
   *     most 2,000,000 steps, so a timer with a period of 1 or 2 ms fails the run.
   * @return the outcome of the last seed; empty if there are no seeds
   * @throws SimulationFailedError if a run fails: by an exception of the code, or by a violated
   *     promise, such as a lost answer or a leaked native object. An assumption of JUnit that ends
   *     the code is thrown as it is
   */
  public Optional<Outcome> run(Consumer<SimulatedSystem> body) {
    try (Simulator simulator = Simulator.create(config)) {
      return LongStream.range(from, from + count)
          .mapToObj(seed -> simulator.require(ProgramScenario.of(plan, body), seed, reader))
          .reduce((previous, last) -> last);
    }
  }
}
