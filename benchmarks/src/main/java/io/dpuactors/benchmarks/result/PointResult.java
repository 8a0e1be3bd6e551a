package io.dpuactors.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.dpuactors.benchmarks.measure.Comparison;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Summary;
import io.dpuactors.benchmarks.measure.Trial;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One line of a scenario's table.
 *
 * @param key unique in its scenario
 * @param label text for the table
 * @param metric kind of the values
 * @param parameters of the run
 * @param trials in order
 * @param gibPerTrial data that a trial moves; 0 if not applicable
 * @param actorsPeakMib largest resident memory of the actors' process
 * @param plainPeakMib largest resident memory of the plain C program
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PointResult(
    String key,
    String label,
    Metric metric,
    Map<String, String> parameters,
    List<Trial> trials,
    double gibPerTrial,
    @Nullable Double actorsPeakMib,
    @Nullable Double plainPeakMib) {
  /** Copies the collections. */
  public PointResult {
    parameters = Map.copyOf(parameters);
    trials = List.copyOf(trials);
  }

  /** Returns a result without data rates and memory. */
  public static PointResult of(
      String key, String label, Metric metric, Map<String, String> parameters, List<Trial> trials) {
    return new PointResult(key, label, metric, parameters, trials, 0, null, null);
  }

  /** Returns the statistics of both sides and of their pairs. */
  public Comparison comparison() {
    return Comparison.of(trials);
  }

  /** Returns whether a plain C side exists. */
  @JsonIgnore
  public boolean isPaired() {
    return trials.stream().anyMatch(trial -> trial.plain() != null);
  }

  /** Returns the number of failed trials of both sides. */
  public int failures() {
    return trials.stream().mapToInt(trial -> trial.failures().size()).sum();
  }

  /** Returns the bytes allocated per task. */
  public Summary bytesPerTask() {
    return column(Side.ACTORS, Sample::bytesPerTask);
  }

  /** Returns the CPU seconds per GiB of one side; NaN if not applicable. */
  public double cpuPerGib(Side side) {
    return gibPerTrial > 0 ? column(side, Sample::cpuSeconds).mean() / gibPerTrial : Double.NaN;
  }

  private Summary column(Side side, Function<Sample, @Nullable Double> value) {
    return Summary.of(
        trials.stream()
            .map(trial -> trial.sample(side))
            .filter(Objects::nonNull)
            .flatMap(sample -> Stream.ofNullable(value.apply(sample)))
            .mapToDouble(Double::doubleValue)
            .toArray());
  }
}
