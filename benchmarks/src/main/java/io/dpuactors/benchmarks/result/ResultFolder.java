package io.dpuactors.benchmarks.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dpuactors.experiments.statistics.Comparison;
import io.dpuactors.experiments.statistics.Summary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A folder with one JSON and one TSV file per scenario. */
public final class ResultFolder {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();
  private static final String SUFFIX = ".json";

  private final Path folder;

  private ResultFolder(Path folder) {
    this.folder = folder;
  }

  /** Returns a folder, which need not exist. */
  public static ResultFolder of(Path folder) {
    return new ResultFolder(folder);
  }

  /** Returns the path of the folder. */
  public Path path() {
    return folder;
  }

  /** Writes a result. Replaces an earlier one of the same scenario. */
  public void write(RunResult result) throws IOException {
    Files.createDirectories(folder);
    replace(result.benchmark() + SUFFIX, json(result));
    replace(result.benchmark() + ".tsv", Tsv.of(result));
  }

  private void replace(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
  }

  /** Returns the result with the statistics of its columns. */
  private static String json(RunResult result) throws JsonProcessingException {
    ObjectNode root = JSON.valueToTree(result);
    ArrayNode points = (ArrayNode) root.get("points");
    for (int i = 0; i < points.size(); i++) {
      Comparison c = result.points().get(i).comparison();
      ObjectNode told = ((ObjectNode) points.get(i)).putObject("summary");
      summary(told.putObject("actors"), c.actors());
      if (result.points().get(i).isPaired()) {
        summary(told.putObject("plain"), c.plain());
        summary(told.putObject("ratio"), c.ratio());
      }
    }
    return JSON.writeValueAsString(root) + "\n";
  }

  private static void summary(ObjectNode node, Summary summary) {
    node.put("count", summary.count());
    number(node, "mean", summary.mean());
    number(node, "sd", summary.sd());
    number(node, "median", summary.median());
    number(node, "ci99_half", summary.ci());
  }

  private static void number(ObjectNode node, String name, double value) {
    if (Double.isNaN(value)) {
      node.putNull(name);
    } else {
      node.put(name, value);
    }
  }

  /** Returns all results in the order of their names. */
  public List<RunResult> read() throws IOException {
    List<RunResult> results = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(SUFFIX)) {
          results.add(JSON.readValue(file.toFile(), RunResult.class));
        }
      }
    }
    return results;
  }
}
