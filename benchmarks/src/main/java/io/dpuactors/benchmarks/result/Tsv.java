package io.dpuactors.benchmarks.result;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One line per trial with full precision; {@code failed} for a failed trial. */
final class Tsv {
  private Tsv() {}

  static String of(RunResult result) {
    return "benchmark\tpoint\tunit\ttrial\tactors\tplain\tratio\tactors_cpu_s\tplain_cpu_s\tbytes_per_task\n"
        + result.points().stream()
            .flatMap(point -> point.trials().stream().map(trial -> line(result, point, trial)))
            .collect(Collectors.joining());
  }

  private static String line(RunResult result, PointResult point, Trial trial) {
    Sample plain = trial.plain();
    return String.join(
            "\t",
            result.benchmark(),
            point.key(),
            point.metric().unit(),
            Integer.toString(trial.number()),
            value(trial.actors()),
            plain == null ? "" : value(plain),
            ratio(trial.actors().value(), plain == null ? null : plain.value()),
            exact(trial.actors().cpuSeconds()),
            exact(plain == null ? null : plain.cpuSeconds()),
            exact(trial.actors().bytesPerTask()))
        + "\n";
  }

  private static String value(Sample sample) {
    return sample.failure() != null ? "failed" : exact(sample.value());
  }

  private static String ratio(@Nullable Double actors, @Nullable Double plain) {
    return actors == null || plain == null ? "" : Double.toString(actors / plain);
  }

  private static String exact(@Nullable Double value) {
    return value == null ? "" : value.toString();
  }
}
