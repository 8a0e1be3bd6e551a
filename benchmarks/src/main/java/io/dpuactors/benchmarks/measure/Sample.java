package io.dpuactors.benchmarks.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * One trial of one side. Missing measurements are null.
 *
 * @param value in the unit of its row; null for a failed trial
 * @param elapsedUs time measured by the program
 * @param cpuSeconds user and system time of the process during the trial
 * @param bytesPerTask bytes that the engine's thread allocated per task
 * @param failure cause of a missing value, in one line
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Sample(
    @Nullable Double value,
    @Nullable Double elapsedUs,
    @Nullable Double cpuSeconds,
    @Nullable Double bytesPerTask,
    @Nullable String failure) {
  /** Returns a successful trial. */
  public static Sample of(double value) {
    return new Sample(value, null, null, null, null);
  }

  /** Returns a failed trial. */
  public static Sample failed(String why) {
    return new Sample(null, null, null, null, why);
  }

  /**
   * Returns a figure that a program printed.
   *
   * @throws RunException if the figure is missing, or not greater than 0
   */
  public static double figure(JsonNode json, String key) throws RunException {
    double value = json.path(key).asDouble();
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new RunException("printed no %s: %s".formatted(key, json));
    }
    return value;
  }

  /** Returns this trial with the CPU time of its process; null if unknown. */
  Sample withCpuSeconds(@Nullable Double seconds) {
    return new Sample(value, elapsedUs, seconds, bytesPerTask, failure);
  }
}
