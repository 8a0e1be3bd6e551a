package io.dpuactors.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One trial of one side. What was not measured is null.
 *
 * @param value in the unit of its point; null when the trial failed
 * @param cpuSeconds user and system time of the process during the trial
 * @param bytesPerTask garbage of the engine's thread per task
 * @param failure why there is no value, in one line
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Sample(
    @Nullable Double value,
    @Nullable Double cpuSeconds,
    @Nullable Double bytesPerTask,
    @Nullable String failure) {
  /** Something was measured. */
  public static Sample of(double value) {
    return new Sample(value, null, null, null);
  }

  /** Nothing was measured. */
  public static Sample failed(String why) {
    return new Sample(null, null, null, why);
  }
}
