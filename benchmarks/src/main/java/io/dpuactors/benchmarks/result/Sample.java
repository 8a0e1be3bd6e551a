package io.dpuactors.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One trial of one side. Missing measurements are null.
 *
 * @param value in the unit of its point; null for a failed trial
 * @param cpuSeconds user and system time of the process during the trial
 * @param bytesPerTask bytes that the engine's thread allocated per task
 * @param failure cause of a missing value, in one line
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Sample(
    @Nullable Double value,
    @Nullable Double cpuSeconds,
    @Nullable Double bytesPerTask,
    @Nullable String failure) {
  /** Returns a successful trial. */
  public static Sample of(double value) {
    return new Sample(value, null, null, null);
  }

  /** Returns a failed trial. */
  public static Sample failed(String why) {
    return new Sample(null, null, null, why);
  }
}
