package io.dpuactors.experiments.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/**
 * The figures that a program printed about one trial.
 *
 * @param elapsedUs more than 0
 * @param rateGibps more than 0
 */
record Measurement(double elapsedUs, double rateGibps) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads a line.
   *
   * @param checksum the expected checksum of the content, if known
   * @throws RunException when the data is wrong, or the line has no figures
   */
  static Measurement parse(String line, Optional<String> checksum) throws RunException {
    JsonNode json = read(line);
    if (json.path("data_error").asBoolean()) {
      throw new RunException("the data is wrong");
    }
    if (checksum.isPresent() && !checksum.get().equals(json.path("checksum").asText())) {
      throw new RunException(
          "the data is wrong: checksum %s instead of %s"
              .formatted(json.path("checksum").asText("(none)"), checksum.get()));
    }
    return new Measurement(figure(json, "elapsed_us"), figure(json, "data_rate_gibps"));
  }

  private static JsonNode read(String line) throws RunException {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new RunException("printed no JSON: " + line, e);
    }
  }

  private static double figure(JsonNode json, String name) throws RunException {
    double value = json.path(name).asDouble();
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new RunException("printed no %s: %s".formatted(name, json));
    }
    return value;
  }
}
