package io.dpuactors.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dpuactors.benchmarks.measure.Summary;

/** The JSON of results. A value that needs more trials is null. */
public final class Json {
  /** Reads and writes all results. Maps are in the order of their keys. */
  public static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private Json() {}

  /** Returns the text of a file. */
  public static String text(ObjectNode root) throws JsonProcessingException {
    return MAPPER.writeValueAsString(root) + "\n";
  }

  /** Adds the statistics of a column. */
  public static void summary(ObjectNode node, String name, Summary summary) {
    ObjectNode of = node.putObject(name).put("count", summary.count());
    number(of, "mean", summary.mean());
    number(of, "sd", summary.sd());
    number(of, "median", summary.median());
    number(of, "ci99_half", summary.ci());
  }

  /** Adds a number; null for NaN. */
  public static void number(ObjectNode node, String name, double value) {
    if (Double.isNaN(value)) {
      node.putNull(name);
    } else {
      node.put(name, value);
    }
  }
}
