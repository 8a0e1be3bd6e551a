package io.dpuactors.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;

/**
 * Result of a scenario.
 *
 * @param benchmark name of the scenario
 * @param title text for the report
 * @param device the device of the run: {@code software DPU}
 * @param quick whether the run only tested the programs, so that its figures allow no verdict;
 *     results of earlier versions have no such member, and are not quick
 * @param environment machine, system, JDK, versions, settings
 * @param loadBefore load average of the machine in the minute before the run
 * @param points in order
 */
public record RunResult(
    String benchmark,
    String title,
    String device,
    boolean quick,
    Map<String, String> environment,
    double loadBefore,
    List<PointResult> points) {
  /** Copies the collections. */
  public RunResult {
    environment = Map.copyOf(environment);
    points = List.copyOf(points);
  }

  /** Returns whether every point has trials, and none of them failed. */
  @JsonIgnore
  public boolean isGood() {
    return !points.isEmpty()
        && points.stream().allMatch(p -> p.failures() == 0 && !p.trials().isEmpty());
  }
}
