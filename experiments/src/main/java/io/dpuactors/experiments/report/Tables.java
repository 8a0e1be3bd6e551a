package io.dpuactors.experiments.report;

import io.dpuactors.experiments.statistics.Comparison;
import io.dpuactors.experiments.statistics.Pair;
import io.dpuactors.experiments.statistics.Summary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** The tables for programs: tab-separated values, and the rows of a LaTeX table. */
final class Tables {
  private Tables() {}

  /** Returns one line per mode and row, full precision; values that need more trials are empty. */
  static String summary(Result result) {
    StringBuilder text = new StringBuilder("mode\trow\tpairs\tfailed_actors\tfailed_plain");
    for (String column : List.of("actors", "plain", "loss", "ratio")) {
      for (String figure : List.of("mean", "sd", "median", "ci")) {
        text.append('\t').append(column).append('_').append(figure);
      }
    }
    text.append("\toutperformed\n");
    for (Result.Part part : result.parts()) {
      Comparison c = part.comparison();
      List<String> cells = new ArrayList<>();
      Collections.addAll(
          cells,
          part.mode().key(),
          part.row().key(),
          Integer.toString(c.pairs()),
          Integer.toString(c.failedActors()),
          Integer.toString(c.failedPlain()));
      for (Summary s : List.of(c.actors(), c.plain(), c.loss(), c.ratio())) {
        Collections.addAll(cells, exact(s.mean()), exact(s.sd()), exact(s.median()), exact(s.ci()));
      }
      cells.add(exact(c.outperformed()));
      text.append(String.join("\t", cells)).append('\n');
    }
    return text.toString();
  }

  /** Returns one line per pair. A failed trial is {@code failed}; its pair has no loss. */
  static String trials(Result result) {
    StringBuilder text =
        new StringBuilder("mode\trow\ttrial\tactors_gibps\tplain_gibps\tloss_percent\n");
    for (Result.Part part : result.parts()) {
      for (Pair pair : part.pairs()) {
        text.append(
            String.join(
                "\t",
                part.mode().key(),
                part.row().key(),
                Integer.toString(pair.trial()),
                rate(pair.actors()),
                rate(pair.plain()),
                pair.isComplete() ? exact(pair.lossPercent()) : ""));
        text.append('\n');
      }
    }
    return text.toString();
  }

  private static String rate(OptionalDouble rate) {
    return rate.isPresent() ? exact(rate.getAsDouble()) : "failed";
  }

  private static String exact(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }

  /**
   * Returns the columns of the published table: label; ours: mean, sd, CI; plain: mean, sd, CI;
   * loss: mean, sd, CI; outperformed.
   */
  static String latex(Result result) {
    StringBuilder text =
        new StringBuilder("% software DPU: figures compare programs, not hardware\n")
            .append("% CI: half of the 99 % confidence interval of the mean (Student's t)\n");
    text.append("\\begin{tabular}{l*{10}{r}}\n");
    text.append(
        " & \\multicolumn{3}{c}{actors (GiB/s)} & \\multicolumn{3}{c}{plain C (GiB/s)} & \\multicolumn{3}{c}{loss (\\%)} & outperformed \\\\\n");
    text.append("label & mean & sd & CI & mean & sd & CI & mean & sd & CI & (\\%) \\\\\n\\hline\n");
    for (Result.Part part : result.parts()) {
      Comparison c = part.comparison();
      List<String> cells = new ArrayList<>();
      cells.add(escape(part.row().label() + ", " + part.mode().key()));
      Collections.addAll(cells, math(c.actors(), Figures::rates));
      Collections.addAll(cells, math(c.plain(), Figures::rates));
      Collections.addAll(cells, math(c.loss(), Figures::percents));
      cells.add(math(Figures.fixed(c.outperformed() * 100, 1)));
      text.append(String.join(" & ", cells)).append(" \\\\\n");
    }
    return text.append("\\end{tabular}\n").toString();
  }

  private static String[] math(Summary summary, Function<Summary, String[]> figures) {
    String[] cells = figures.apply(summary);
    for (int i = 0; i < cells.length; i++) {
      cells[i] = math(cells[i]);
    }
    return cells;
  }

  /** Encloses a figure as math: LaTeX text has no minus sign. */
  private static String math(String figure) {
    return figure.equals("-") ? "--" : figure.startsWith("-") ? "$" + figure + "$" : figure;
  }

  private static String escape(String text) {
    return text.replaceAll("([&%$#_{}])", "\\\\$1");
  }
}
