package io.dpuactors.experiments.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a result in every form, next to its log. Replaces an earlier report. */
public final class ReportFolder {
  private ReportFolder() {}

  /**
   * Writes the report.
   *
   * @return the Markdown report
   */
  public static Path write(Result result, Path folder) throws IOException {
    return write(result, folder, ChartFiles.in(folder.resolve("plots")));
  }

  static Path write(Result result, Path folder, ChartFiles plots) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("summary.tsv"), Tables.summary(result));
    Files.writeString(folder.resolve("trials.tsv"), Tables.trials(result));
    Files.writeString(folder.resolve("table.tex"), Tables.latex(result));
    Files.writeString(folder.resolve("report.json"), Json.of(result));
    Plots.write(result, plots);
    return Files.writeString(folder.resolve("report.md"), Markdown.of(result, plots.missing()));
  }
}
