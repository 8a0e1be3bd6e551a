package io.dpuactors.experiments.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dpuactors.benchmarks.measure.Comparison;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.report.ChartFiles;
import io.dpuactors.benchmarks.report.Charts;
import io.dpuactors.benchmarks.report.Json;
import io.dpuactors.experiments.run.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
    Files.writeString(folder.resolve("report.json"), json(result));
    plot(result, plots);
    return Files.writeString(folder.resolve("report.md"), Markdown.of(result, plots.missing()));
  }

  /**
   * Writes two plots per mode and row, data rates of both sides and the loss; for rows over sizes,
   * a plot per mode and operation.
   */
  static void plot(Result result, ChartFiles files) throws IOException {
    for (SizePlot each : SizePlot.of(result)) {
      files.save(each.key(), each::chart);
    }
    for (Result.Part part : result.parts()) {
      if (part.row().transfer().isPresent()) {
        continue;
      }
      List<Trial> trials = part.trials();
      String title = "%s (software DPU), %d pairs".formatted(part.label(), trials.size());
      Map<String, double[]> rates = new LinkedHashMap<>();
      rates.put("actors", Trial.values(trials, Side.ACTORS));
      rates.put("plain C", Trial.values(trials, Side.PLAIN));
      files.save(
          "rates-" + part.key(), () -> Charts.distributions(title, "data rate, GiB/s", rates));
      double[] loss =
          trials.stream().filter(Trial::isComplete).mapToDouble(Trial::lossPercent).toArray();
      files.save(
          "loss-" + part.key(),
          () ->
              Charts.distributions(
                  title, "loss, % of plain C (negative: actors faster)", Map.of("loss", loss)));
    }
  }

  /** Returns the report for programs. A value that needs more trials is null. */
  static String json(Result result) throws JsonProcessingException {
    ObjectNode root = Json.MAPPER.createObjectNode();
    root.put("experiment", result.experiment().key())
        .put("device", "software DPU")
        .put("question", result.experiment().question())
        .put("input", result.experiment().input())
        .put("trials", result.trials())
        .put("good", result.isGood());
    new TreeMap<>(result.parameters()).forEach(root.putObject("parameters")::put);
    result.loads().forEach(root.putArray("load_when_begun")::add);
    result.warnings().forEach(root.putArray("warnings")::add);
    var parts = root.putArray("results");
    result.parts().forEach(part -> write(parts.addObject(), result.experiment(), part));
    return Json.text(root);
  }

  private static void write(ObjectNode node, Experiment experiment, Result.Part part) {
    Comparison c = part.comparison();
    node.put("mode", part.mode().key())
        .put("row", part.row().key())
        .put("label", part.row().label())
        .put("pairs", c.pairs())
        .put("failed_actors", c.failedActors())
        .put("failed_plain", c.failedPlain())
        .put("parallel", part.row().parallel());
    experiment.target(part.mode()).ifPresent(target -> node.put("target_ratio", target));
    part.row()
        .transfer()
        .ifPresent(
            transfer -> node.put("operation", transfer.operation()).put("bytes", transfer.bytes()));
    Json.number(node, "outperformed", c.outperformed());
    Json.summary(node, "actors_gibps", c.actors());
    Json.summary(node, "plain_gibps", c.plain());
    Json.summary(node, "loss_percent", c.loss());
    Json.summary(node, "ratio", c.ratio());
    var trials = node.putArray("trials");
    for (Trial trial : part.trials()) {
      trials
          .addObject()
          .put("trial", trial.number())
          .put("actors_gibps", trial.value(Side.ACTORS))
          .put("plain_gibps", trial.value(Side.PLAIN));
    }
    var failures = node.putArray("failures");
    for (Trial.Failure failure : part.failures()) {
      failures
          .addObject()
          .put("trial", failure.number())
          .put("side", failure.side().key())
          .put("failure", failure.cause());
    }
  }
}
