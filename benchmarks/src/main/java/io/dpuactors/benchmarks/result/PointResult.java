package io.dpuactors.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.dpuactors.experiments.statistics.Comparison;
import io.dpuactors.experiments.statistics.Pair;
import io.dpuactors.experiments.statistics.Summary;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
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

  /** Returns the statistics of both sides and of their pairs. */
  @JsonIgnore
  public Comparison comparison() {
    return Comparison.of(
        trials.stream()
            .map(t -> new Pair(t.number(), optional(t.actors()), optional(t.plain())))
            .toList());
  }

  private static OptionalDouble optional(@Nullable Sample sample) {
    Double value = sample == null ? null : sample.value();
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** Returns whether a plain C side exists. */
  @JsonIgnore
  public boolean isPaired() {
    return trials.stream().anyMatch(trial -> trial.plain() != null);
  }

  /** Returns the number of failed trials of both sides. */
  @JsonIgnore
  public long failures() {
    return trials.stream().filter(t -> t.actors().failure() != null).count()
        + trials.stream().map(Trial::plain).filter(s -> s != null && s.failure() != null).count();
  }

  /** Returns the bytes allocated per task. */
  @JsonIgnore
  public Summary bytesPerTask() {
    return column(Trial::actors, Sample::bytesPerTask);
  }

  /** Returns the CPU seconds per GiB of one side; NaN if not applicable. */
  public double cpuPerGib(boolean actors) {
    Summary cpu = column(actors ? Trial::actors : Trial::plain, Sample::cpuSeconds);
    return gibPerTrial > 0 ? cpu.mean() / gibPerTrial : Double.NaN;
  }

  private Summary column(
      Function<Trial, @Nullable Sample> side, Function<Sample, @Nullable Double> value) {
    return Summary.of(
        trials.stream()
            .map(trial -> Optional.ofNullable(side.apply(trial)).map(value).orElse(null))
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .toArray());
  }
}
