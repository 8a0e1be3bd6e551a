package io.dpuactors.experiments.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dpuactors.experiments.run.Trial;
import io.dpuactors.experiments.statistics.Comparison;
import io.dpuactors.experiments.statistics.Pair;
import io.dpuactors.experiments.statistics.Summary;
import java.util.TreeMap;

/** The report for programs. A value that needs more trials is null. */
final class Json {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Json() {}

  static String of(Result result) throws JsonProcessingException {
    ObjectNode root = JSON.createObjectNode();
    root.put("experiment", result.experiment().key())
        .put("device", "software DPU")
        .put("question", result.experiment().question())
        .put("input", result.experiment().input())
        .put("trials", result.trials())
        .put("good", result.isGood());
    new TreeMap<>(result.parameters()).forEach(root.putObject("parameters")::put);
    result.loads().forEach(root.putArray("load_when_begun")::add);
    result.warnings().forEach(root.putArray("warnings")::add);
    ArrayNode parts = root.putArray("results");
    result.parts().forEach(part -> write(parts.addObject(), part));
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
  }

  private static void write(ObjectNode node, Result.Part part) {
    Comparison c = part.comparison();
    node.put("mode", part.mode().key())
        .put("row", part.row().key())
        .put("label", part.row().label())
        .put("parallel", part.row().parallel())
        .put("pairs", c.pairs())
        .put("failed_actors", c.failedActors())
        .put("failed_plain", c.failedPlain())
        .put("target_ratio", part.mode().target());
    number(node, "outperformed", c.outperformed());
    summary(node, "actors_gibps", c.actors());
    summary(node, "plain_gibps", c.plain());
    summary(node, "loss_percent", c.loss());
    summary(node, "ratio", c.ratio());
    ArrayNode pairs = node.putArray("trials");
    for (Pair pair : part.pairs()) {
      ObjectNode one = pairs.addObject().put("trial", pair.trial());
      number(one, "actors_gibps", pair.actors().orElse(Double.NaN));
      number(one, "plain_gibps", pair.plain().orElse(Double.NaN));
    }
    ArrayNode failures = node.putArray("failures");
    for (Trial trial : part.failures()) {
      failures
          .addObject()
          .put("trial", trial.slot().number())
          .put("side", trial.slot().side().key())
          .put("failure", trial.failure().orElse(""));
    }
  }

  private static void summary(ObjectNode node, String name, Summary summary) {
    ObjectNode of = node.putObject(name).put("count", summary.count());
    number(of, "mean", summary.mean());
    number(of, "sd", summary.sd());
    number(of, "median", summary.median());
    number(of, "ci99_half", summary.ci());
  }

  private static void number(ObjectNode node, String name, double value) {
    if (Double.isNaN(value)) {
      node.putNull(name);
    } else {
      node.put(name, value);
    }
  }
}
