package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.result.PointResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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
    List<PointResult> run(Bench bench) throws RunException, IOException, InterruptedException;
  }

  /** Returns a scenario whose points are programs that take turns. */
  static Scenario of(String name, String title, Function<Bench, List<Point>> points) {
    return new Scenario(
        name,
        title,
        bench -> {
          List<PointResult> results = new ArrayList<>();
          for (Point point : points.apply(bench)) {
            results.add(point.run(bench));
          }
          return results;
        });
  }
}
