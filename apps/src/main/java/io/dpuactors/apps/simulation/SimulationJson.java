package io.dpuactors.apps.simulation;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.apps.cli.Json;
import io.dpuactors.simulation.Campaign;
import io.dpuactors.simulation.Campaign.Failure;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The result of the seeds of one scenario as JSON. */
public final class SimulationJson {
  private SimulationJson() {}

  /**
   * Prints a result.
   *
   * @param replay the command that repeats the failure; null: none
   */
  public static void print(PrintWriter out, Campaign.Result result, @Nullable String replay)
      throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartObject();
      json.writeStringField("scenario", result.scenario());
      json.writeNumberField("seeds", result.seeds());
      json.writeNumberField("seconds", result.seconds());
      json.writeNumberField("steps", result.steps());
      json.writeNumberField("virtualNs", result.virtualNs());
      json.writeStringField("hash", "%016x".formatted(result.hash()));
      json.writeObjectFieldStart("reached");
      for (Map.Entry<String, Long> reached : result.reached().entrySet()) {
        json.writeNumberField(reached.getKey(), reached.getValue());
      }
      json.writeEndObject();
      if (result.failure().isPresent()) {
        json.writeObjectFieldStart("failure");
        json.writeNumberField("seed", result.failure().get().seed());
        json.writeStringField("problem", result.failure().get().problem());
        if (replay != null) {
          json.writeStringField("replay", replay);
        }
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    out.println();
    out.flush();
  }

  /** Reads a printed result. */
  public static Campaign.Result read(String text) throws JsonProcessingException {
    JsonNode json = new ObjectMapper().readTree(text);
    Map<String, Long> reached = new TreeMap<>();
    json.path("reached").properties().forEach(e -> reached.put(e.getKey(), e.getValue().asLong()));
    JsonNode failure = json.path("failure");
    return new Campaign.Result(
        json.path("scenario").asText(),
        json.path("seeds").asLong(),
        json.path("seconds").asDouble(),
        json.path("steps").asLong(),
        json.path("virtualNs").asLong(),
        Long.parseUnsignedLong(json.path("hash").asText(), 16),
        reached,
        failure.isMissingNode()
            ? Optional.empty()
            : Optional.of(
                new Failure(failure.path("seed").asLong(), failure.path("problem").asText())));
  }
}
