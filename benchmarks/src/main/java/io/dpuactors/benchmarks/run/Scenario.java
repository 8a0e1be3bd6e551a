package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.experiments.run.RunException;
import java.util.List;

/**
 * A scenario of {@code dpu bench run}.
 *
 * @param name on the command line
 * @param title text for the report
 * @param work the measurement
 */
public record Scenario(String name, String title, Work work) {
  /** Measures. */
  @FunctionalInterface
  public interface Work {
    /**
     * Runs the measurement.
     *
     * @throws RunException if nothing can be measured; the result contains failures of single
     *     trials
     */
    List<PointResult> run(Bench bench) throws RunException, InterruptedException;
  }
}
