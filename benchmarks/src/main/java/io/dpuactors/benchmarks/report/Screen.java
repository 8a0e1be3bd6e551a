package io.dpuactors.benchmarks.report;

import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.benchmarks.result.RunResult;
import io.dpuactors.benchmarks.result.Sample;
import io.dpuactors.benchmarks.result.Trial;
import io.dpuactors.experiments.statistics.Comparison;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Results as tables for a terminal. */
public final class Screen {
  private static final String FORMAT = "%-42s %-10s %17s %17s %14s %6s %13s %9s %6s%n";
  private static final int SHOWN_FAILURES = 3;

  private Screen() {}

  /** Prints one scenario: medians, behind them half of the 99 % interval of the mean. */
  public static void print(PrintWriter out, RunResult result) {
    out.printf("%s: %s (%s)%n", result.benchmark(), result.title(), result.device());
    out.printf(
        FORMAT, "", "", "actors", "plain C", "ratio", "B/task", "CPU s/GiB", "peak MiB", "failed");
    result.points().forEach(point -> print(out, point));
    out.println();
  }

  private static void print(PrintWriter out, PointResult point) {
    Comparison c = point.comparison();
    boolean paired = point.isPaired();
    out.printf(
        FORMAT,
        point.label(),
        point.metric().unit(),
        spread(c.actors().median(), c.actors().ci()),
        paired ? spread(c.plain().median(), c.plain().ci()) : "",
        paired ? spread(c.ratio().median(), c.ratio().ci()) : "",
        figure(point.bytesPerTask().mean()),
        both(point.cpuPerGib(true), point.cpuPerGib(false)),
        both(orNaN(point.actorsPeakMib()), orNaN(point.plainPeakMib())),
        point.failures() == 0 ? "" : point.failures());
    point.trials().stream()
        .flatMap(trial -> failures(trial).stream())
        .limit(SHOWN_FAILURES)
        .forEach(out::println);
  }

  private static List<String> failures(Trial trial) {
    return Stream.of(trial.actors(), trial.plain())
        .filter(sample -> sample != null && sample.failure() != null)
        .map(sample -> "    trial %d failed: %s".formatted(trial.number(), failure(sample)))
        .toList();
  }

  private static String failure(@Nullable Sample sample) {
    return sample == null ? "" : String.valueOf(sample.failure());
  }

  private static double orNaN(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }

  private static String spread(double median, double ci) {
    return Double.isNaN(ci) ? figure(median) : figure(median) + " ±" + figure(ci);
  }

  private static String both(double actors, double plain) {
    return Double.isNaN(plain) ? figure(actors) : figure(actors) + "/" + figure(plain);
  }

  /** Four digits that count; nothing for what is not known. */
  static String figure(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    double size = Math.abs(value);
    int digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
