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
 * @param label for people
 * @param metric what the values are
 * @param parameters as they were run
 * @param trials in order
 * @param gibPerTrial data that a trial moves; 0 when that has no meaning
 * @param actorsPeakMib most resident memory of the actors' process
 * @param plainPeakMib of the plain C program's
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
  /** Copies what it is given. */
  public PointResult {
    parameters = Map.copyOf(parameters);
    trials = List.copyOf(trials);
  }

  /** Both sides, and their pairs. */
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

  /** Whether there is another side. */
  @JsonIgnore
  public boolean isPaired() {
    return trials.stream().anyMatch(trial -> trial.plain() != null);
  }

  /** Trials that failed, of both sides. */
  @JsonIgnore
  public long failures() {
    return trials.stream().filter(t -> t.actors().failure() != null).count()
        + trials.stream().map(Trial::plain).filter(s -> s != null && s.failure() != null).count();
  }

  /** Garbage per task. */
  @JsonIgnore
  public Summary bytesPerTask() {
    return column(Trial::actors, Sample::bytesPerTask);
  }

  /** CPU seconds per GiB of one side; NaN where that has no meaning. */
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
