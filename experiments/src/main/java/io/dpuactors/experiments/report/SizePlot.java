package io.dpuactors.experiments.report;

import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Summary;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.report.Charts;
import io.dpuactors.experiments.run.Experiment.Transfer;
import io.dpuactors.experiments.run.Mode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.knowm.xchart.XYChart;

/**
 * Medians of the data rates of one operation over its sizes: a line per side and number of tasks in
 * flight.
 *
 * @param parts of the operation, by tasks in flight and size
 */
record SizePlot(Mode mode, String operation, List<Result.Part> parts) {
  /** Returns the plots of a result; empty for an experiment without sizes. */
  static List<SizePlot> of(Result result) {
    List<SizePlot> plots = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      Map<String, List<Result.Part>> operations =
          result.parts().stream()
              .filter(part -> part.mode() == mode && part.row().transfer().isPresent())
              .collect(
                  Collectors.groupingBy(
                      part -> transfer(part).operation(), LinkedHashMap::new, Collectors.toList()));
      operations.forEach((operation, parts) -> plots.add(new SizePlot(mode, operation, parts)));
    }
    return plots;
  }

  private static Transfer transfer(Result.Part part) {
    return part.row().transfer().orElseThrow();
  }

  /** Returns the name of its files. */
  String key() {
    return "sizes-%s-%s".formatted(mode.key(), operation);
  }

  /** Returns its title. */
  String label() {
    return "%s, %s".formatted(operation, mode.key());
  }

  XYChart chart() {
    int fewest = parts.stream().mapToInt(part -> part.comparison().ratio().count()).min().orElse(0);
    return Charts.lines(
        "%s (software DPU), at least %d pairs".formatted(label(), fewest),
        "bytes of a task",
        "data rate, GiB/s",
        series());
  }

  /** Returns the points of each line. Sizes without a result have none. */
  private Map<String, List<double[]>> series() {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    for (Side side : Side.values()) {
      Function<Result.Part, String> name =
          part -> "%s, %d in flight".formatted(side.label(), part.row().parallel());
      for (Result.Part part : parts) {
        double median = Summary.of(Trial.values(part.trials(), side)).median();
        if (!Double.isNaN(median)) {
          lines
              .computeIfAbsent(name.apply(part), key -> new ArrayList<>())
              .add(new double[] {transfer(part).bytes(), median});
        }
      }
    }
    return lines;
  }
}
