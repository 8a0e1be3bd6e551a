package io.dpuactors.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;

/**
 * A scenario that was run.
 *
 * @param benchmark its name
 * @param title for people
 * @param device what did the work: {@code software DPU}
 * @param environment machine, system, JDK, versions, settings
 * @param loadBefore processes that ran on the machine in the minute before
 * @param points in order
 */
public record RunResult(
    String benchmark,
    String title,
    String device,
    Map<String, String> environment,
    double loadBefore,
    List<PointResult> points) {
  /** Copies what it is given. */
  public RunResult {
    environment = Map.copyOf(environment);
    points = List.copyOf(points);
  }

  /** Whether nothing failed. */
  @JsonIgnore
  public boolean isGood() {
    return points.stream().allMatch(p -> p.failures() == 0 && !p.trials().isEmpty());
  }
}
