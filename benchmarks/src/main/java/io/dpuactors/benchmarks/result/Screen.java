package io.dpuactors.benchmarks.result;

import static io.dpuactors.benchmarks.report.Figures.significant;

import io.dpuactors.benchmarks.measure.Comparison;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Summary;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.report.Table;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Results as tables for a terminal. */
public final class Screen {
  private static final String FORMAT = "%-42s %-10s %17s %17s %14s %6s %13s %9s %6s%n";
  private static final int SHOWN_FAILURES = 3;

  private Screen() {}

  /** Prints one scenario: medians, followed by half of the 99 % interval of the mean. */
  public static void print(PrintWriter out, RunResult result) {
    out.printf("%s: %s (%s)%n", result.benchmark(), result.title(), result.device());
    Table table =
        new Table(
            "", "", "measured", "reference", "ratio", "B/task", "CPU s/GiB", "peak MiB", "failed");
    result.points().forEach(point -> add(table, point));
    table.print(out, FORMAT);
    for (PointResult point : result.points()) {
      point.trials().stream()
          .flatMap(trial -> trial.failures().stream())
          .limit(SHOWN_FAILURES)
          .forEach(failure -> print(out, point, failure));
    }
    out.println();
  }

  private static void add(Table table, PointResult point) {
    Comparison c = point.comparison();
    boolean paired = point.isPaired();
    table.row(
        point.label(),
        point.metric().unit(),
        spread(c.actors()),
        paired ? spread(c.plain()) : "",
        paired ? spread(c.ratio()) : "",
        significant(point.bytesPerTask().mean()),
        both(point.cpuPerGib(Side.ACTORS), point.cpuPerGib(Side.PLAIN)),
        both(orNaN(point.actorsPeakMib()), orNaN(point.plainPeakMib())),
        point.failures() == 0 ? "" : point.failures());
  }

  private static void print(PrintWriter out, PointResult point, Trial.Failure failure) {
    out.printf(
        "    %s, trial %d of %s failed: %s%n",
        point.label(), failure.number(), failure.side().label(), failure.cause());
  }

  private static double orNaN(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }

  private static String spread(Summary s) {
    String median = significant(s.median());
    return Double.isNaN(s.ci()) ? median : median + " ±" + significant(s.ci());
  }

  private static String both(double actors, double plain) {
    return Double.isNaN(plain)
        ? significant(actors)
        : significant(actors) + "/" + significant(plain);
  }
}
