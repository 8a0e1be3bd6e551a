package io.dpuactors.apps.erasure;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dpuactors.apps.cli.Json;
import io.dpuactors.erasure.PartReport;
import io.dpuactors.erasure.PartSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints the states of parts as a JSON document. */
final class PartsJson {
  private PartsJson() {}

  static void print(PrintWriter out, PartReport report) throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartObject();
      json.writeStringField("command", "ec verify");
      json.writeStringField("id", report.header().file().toString());
      json.writeNumberField("data", report.header().stripes().data());
      json.writeNumberField("parity", report.header().stripes().parity());
      json.writeNumberField("blockBytes", report.header().stripes().blockBytes());
      json.writeNumberField("blocks", report.header().blocks());
      json.writeNumberField("fileBytes", report.header().fileBytes());
      json.writeBooleanField("recoverable", report.isRecoverable());
      json.writeNumberField("lostStripes", report.lostStripes());
      json.writeArrayFieldStart("parts");
      for (PartReport.Row row : report.rows()) {
        row(json, row);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("notUsed");
      for (PartSet.Other other : report.others()) {
        json.writeStartObject();
        json.writeStringField("file", other.path().toString());
        json.writeStringField("reason", other.reason());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println();
  }

  private static void row(JsonGenerator json, PartReport.Row row) throws IOException {
    json.writeStartObject();
    json.writeNumberField("index", row.index());
    json.writeStringField("state", row.state().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("damagedBlocks", row.damaged());
    if (row.path() != null) {
      json.writeStringField("file", row.path().toString());
    }
    json.writeEndObject();
  }
}
