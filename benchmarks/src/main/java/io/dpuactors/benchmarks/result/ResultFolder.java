package io.dpuactors.benchmarks.result;

import static io.dpuactors.benchmarks.report.Figures.exact;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dpuactors.benchmarks.measure.Comparison;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.report.Json;
import io.dpuactors.benchmarks.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder with one JSON and one TSV file per scenario. */
public final class ResultFolder {
  private static final String SUFFIX = ".json";

  private ResultFolder() {}

  /** Writes a result. Replaces an earlier one of the same scenario. */
  public static void write(Path folder, RunResult result) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(result.benchmark() + SUFFIX), json(result));
    Files.writeString(folder.resolve(result.benchmark() + ".tsv"), tsv(result));
  }

  /** Returns the result with the statistics of its columns. */
  private static String json(RunResult result) throws JsonProcessingException {
    ObjectNode root = Json.MAPPER.valueToTree(result);
    ArrayNode points = (ArrayNode) root.get("points");
    for (int i = 0; i < points.size(); i++) {
      Comparison c = result.points().get(i).comparison();
      ObjectNode summary = ((ObjectNode) points.get(i)).putObject("summary");
      Json.summary(summary, "actors", c.actors());
      if (result.points().get(i).isPaired()) {
        Json.summary(summary, "plain", c.plain());
        Json.summary(summary, "ratio", c.ratio());
      }
    }
    return Json.text(root);
  }

  /** Returns one line per trial with full precision; {@code failed} for a failed trial. */
  private static String tsv(RunResult result) {
    Table table =
        new Table(
            "benchmark",
            "point",
            "unit",
            "trial",
            "actors",
            "plain",
            "ratio",
            "actors_cpu_s",
            "plain_cpu_s",
            "bytes_per_task");
    for (PointResult point : result.points()) {
      for (Trial trial : point.trials()) {
        Sample plain = trial.plain();
        table.row(
            result.benchmark(),
            point.key(),
            point.metric().unit(),
            trial.number(),
            value(trial.actors()),
            plain == null ? "" : value(plain),
            trial.isComplete() ? exact(trial.ratio()) : "",
            orEmpty(trial.actors().cpuSeconds()),
            plain == null ? "" : orEmpty(plain.cpuSeconds()),
            orEmpty(trial.actors().bytesPerTask()));
      }
    }
    return table.tsv();
  }

  private static String value(Sample sample) {
    return sample.failure() != null ? "failed" : orEmpty(sample.value());
  }

  private static String orEmpty(@Nullable Double value) {
    return value == null ? "" : value.toString();
  }

  /** Returns whether a folder has a result. A run that ended early has none. */
  public static boolean hasResults(Path folder) {
    String[] names = folder.toFile().list((all, name) -> name.endsWith(SUFFIX));
    return names != null && names.length > 0;
  }

  /** Returns all results in the order of their names. */
  public static List<RunResult> read(Path folder) throws IOException {
    List<RunResult> results = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(SUFFIX)) {
          results.add(Json.MAPPER.readValue(file.toFile(), RunResult.class));
        }
      }
    }
    return results;
  }
}
