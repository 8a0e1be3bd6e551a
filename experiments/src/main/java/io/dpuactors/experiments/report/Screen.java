package io.dpuactors.experiments.report;

import io.dpuactors.experiments.statistics.Comparison;
import java.io.PrintWriter;

/** The shortest report, for the terminal at the end of a run. */
public final class Screen {
  private static final String FORMAT = "%-28s %-5s %9s %9s %8s %9s %7s %7s%n";

  private Screen() {}

  /** Prints the report. */
  public static void print(PrintWriter out, Result result) {
    out.printf(
        FORMAT, "software DPU", "", "actors", "plain C", "ratio", "loss %", "faster", "failed");
    out.printf(FORMAT, "", "", "GiB/s", "GiB/s", "median", "mean", "", "");
    for (Result.Part part : result.parts()) {
      Comparison c = part.comparison();
      out.printf(
          FORMAT,
          part.row().label(),
          part.mode().key(),
          Figures.rate(c.actors().mean()),
          Figures.rate(c.plain().mean()),
          Figures.ratio(c.ratio().median()),
          Figures.percent(c.loss().mean()),
          Figures.share(c.outperformed()),
          c.failedActors() + "/" + c.failedPlain());
    }
    out.println();
  }
}
