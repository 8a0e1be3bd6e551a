package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.experiments.run.RunException;
import java.util.List;

/**
 * Something that {@code dpu bench run} can run.
 *
 * @param name on the command line
 * @param title for people
 * @param work what it does
 */
public record Scenario(String name, String title, Work work) {
  /** Measures. */
  @FunctionalInterface
  public interface Work {
    /**
     * Runs.
     *
     * @throws RunException when nothing can be measured at all; what fails in between is in the
     *     result
     */
    List<PointResult> run(Bench bench) throws RunException, InterruptedException;
  }
}
