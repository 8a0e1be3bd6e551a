package io.dpuactors.experiments.report;

import static io.dpuactors.benchmarks.report.Figures.exact;

import io.dpuactors.benchmarks.measure.Comparison;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.report.Figures;
import io.dpuactors.benchmarks.report.Table;
import java.io.PrintWriter;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of a result: for the terminal, as tab-separated values, and for LaTeX. */
public final class Tables {
  private static final String SCREEN = "%-28s %-5s %9s %9s %8s %9s %7s %7s%n";

  private Tables() {}

  /** Prints the shortest report, at the end of a run. */
  public static void print(PrintWriter out, Result result) {
    Table table =
        new Table("software DPU", "", "actors", "plain C", "ratio", "loss %", "faster", "failed")
            .row("", "", "GiB/s", "GiB/s", "median", "mean", "", "");
    for (Result.Part part : result.parts()) {
      Comparison c = part.comparison();
      table.row(
          part.row().label(),
          part.mode().key(),
          Figures.rate(c.actors().mean()),
          Figures.rate(c.plain().mean()),
          Figures.ratio(c.ratio().median()),
          Figures.percent(c.loss().mean()),
          Figures.share(c.outperformed()),
          c.failedActors() + "/" + c.failedPlain());
    }
    table.print(out, SCREEN);
    out.println();
  }

  /** Returns one line per mode and row, full precision; values that need more trials are empty. */
  static String summary(Result result) {
    Object[] columns =
        Stream.of("actors", "plain", "loss", "ratio")
            .flatMap(c -> Stream.of("_mean", "_sd", "_median", "_ci").map(c::concat))
            .toArray();
    Table table =
        new Table("mode", "row", "pairs", "failed_actors", "failed_plain", columns, "outperformed");
    for (Result.Part part : result.parts()) {
      Comparison c = part.comparison();
      Object[] cells =
          Stream.of(c.actors(), c.plain(), c.loss(), c.ratio())
              .flatMap(s -> Stream.of(s.mean(), s.sd(), s.median(), s.ci()).map(Figures::exact))
              .toArray();
      table.row(
          part.mode().key(),
          part.row().key(),
          c.pairs(),
          c.failedActors(),
          c.failedPlain(),
          cells,
          exact(c.outperformed()));
    }
    return table.tsv();
  }

  /** Returns one line per pair. A failed trial is {@code failed}; its pair has no loss. */
  static String trials(Result result) {
    Table table = new Table("mode", "row", "trial", "actors_gibps", "plain_gibps", "loss_percent");
    for (Result.Part part : result.parts()) {
      for (Trial trial : part.trials()) {
        table.row(
            part.mode().key(),
            part.row().key(),
            trial.number(),
            rate(trial.value(Side.ACTORS)),
            rate(trial.value(Side.PLAIN)),
            trial.isComplete() ? exact(trial.lossPercent()) : "");
      }
    }
    return table.tsv();
  }

  private static String rate(@Nullable Double rate) {
    return rate == null ? "failed" : exact(rate);
  }

  /**
   * Returns the columns of the published table: label; ours: mean, sd, CI; plain: mean, sd, CI;
   * loss: mean, sd, CI; outperformed.
   */
  static String latex(Result result) {
    Table table = new Table();
    for (Result.Part part : result.parts()) {
      Comparison c = part.comparison();
      table.row(
          part.label().replaceAll("([&%$#_{}])", "\\\\$1"),
          math(Figures.rates(c.actors())),
          math(Figures.rates(c.plain())),
          math(Figures.percents(c.loss())),
          math(Figures.fixed(c.outperformed() * 100, 1)));
    }
    return """
        % software DPU: figures compare programs, not hardware
        % CI: half of the 99 % confidence interval of the mean (Student's t)
        \\begin{tabular}{l*{10}{r}}
         & \\multicolumn{3}{c}{actors (GiB/s)} & \\multicolumn{3}{c}{plain C (GiB/s)} \
        & \\multicolumn{3}{c}{loss (\\%)} & outperformed \\\\
        label & mean & sd & CI & mean & sd & CI & mean & sd & CI & (\\%) \\\\
        \\hline
        """
        + table.latexRows()
        + "\\end{tabular}\n";
  }

  /** Encloses figures as math: LaTeX text has no minus sign. */
  private static Object[] math(String... figures) {
    return Stream.of(figures)
        .map(f -> f.equals("-") ? "--" : f.startsWith("-") ? "$" + f + "$" : f)
        .toArray();
  }
}
