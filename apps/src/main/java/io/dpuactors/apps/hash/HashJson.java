package io.dpuactors.apps.hash;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dpuactors.apps.cli.Json;
import io.dpuactors.apps.file.JsonReport;
import io.dpuactors.file.HashEvent;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints the JSON document of {@code hash}. */
final class HashJson {
  private HashJson() {}

  /**
   * Prints the document.
   *
   * @param comparison the comparison with lists; null: there are none
   */
  static void print(
      PrintWriter out, HashReport report, Algorithm algorithm, @Nullable SumCheck comparison)
      throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartObject();
      json.writeStringField("command", "hash");
      json.writeNumberField("exitStatus", report.exitCode().status());
      json.writeStringField("algorithm", algorithm.name().toLowerCase(Locale.ROOT));
      JsonReport.device(json, report.opened());
      json.writeArrayFieldStart("files");
      for (HashEvent event : report.results()) {
        file(json, report, event, comparison);
      }
      json.writeEndArray();
      JsonReport.end(json, report.ended());
      json.writeEndObject();
    }
    out.println();
  }

  private static void file(
      JsonGenerator json, HashReport report, HashEvent event, @Nullable SumCheck comparison)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("input", report.files().get(event.index()).toString());
    json.writeBooleanField(
        "ok", comparison == null ? event instanceof HashEvent.Done : comparison.isMatch(event));
    if (event instanceof HashEvent.Done done) {
      json.writeNumberField("bytesIn", done.bytes());
      json.writeStringField("digest", done.digest());
    } else if (event instanceof HashEvent.Failed failed) {
      json.writeFieldName("error");
      JsonReport.failure(json, failed.failure());
    }
    json.writeEndObject();
  }
}
