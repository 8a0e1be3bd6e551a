package io.dpuactors.benchmarks.measure;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The successive trials of both sides with one number.
 *
 * @param number from 1
 * @param plain null without a plain C side
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Trial(int number, Sample actors, @Nullable Sample plain) {
  /** A failed trial of one side; {@code cause} is one line. */
  public record Failure(int number, Side side, String cause) {}

  /** Returns whether both trials succeeded. */
  @JsonIgnore
  public boolean isComplete() {
    return value(Side.ACTORS) != null && value(Side.PLAIN) != null;
  }

  /** Returns whether the value of the actors is strictly greater. */
  @JsonIgnore
  public boolean isOutperformed() {
    return of(Side.ACTORS) > of(Side.PLAIN);
  }

  /** Returns the loss of the actors, in percent of plain C; negative when they are faster. */
  public double lossPercent() {
    return (1 - ratio()) * 100;
  }

  /** Returns the ratio of actors over plain C of a complete pair. */
  public double ratio() {
    return of(Side.ACTORS) / of(Side.PLAIN);
  }

  private double of(Side side) {
    return Objects.requireNonNull(value(side), "a complete pair");
  }

  /** Returns the value of a side; null if its trial failed, or the side does not exist. */
  public @Nullable Double value(Side side) {
    Sample sample = sample(side);
    return sample == null ? null : sample.value();
  }

  /** Returns a side's trial; null if the side does not exist. */
  public @Nullable Sample sample(Side side) {
    return side == Side.ACTORS ? actors : plain;
  }

  /** Returns the failed ones of both trials. */
  public List<Failure> failures() {
    return Stream.of(Side.values()).flatMap(side -> Stream.ofNullable(failure(side))).toList();
  }

  private @Nullable Failure failure(Side side) {
    Sample sample = sample(side);
    String cause = sample == null ? null : sample.failure();
    return cause == null ? null : new Failure(number, side, cause);
  }

  /** Returns the values of a side's successful trials. */
  public static double[] values(List<Trial> trials, Side side) {
    return trials.stream()
        .map(trial -> trial.value(side))
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .toArray();
  }
}
