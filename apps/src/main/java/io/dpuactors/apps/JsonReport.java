package io.dpuactors.apps;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.FileReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Prints the JSON document of a command that processes files. This class writes each field itself:
 * the start of data binding would take longer than the printing.
 */
final class JsonReport {
  private JsonReport() {}

  static JsonGenerator generator(PrintWriter out) throws IOException {
    return new JsonFactory()
        .createGenerator(out)
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .setPrettyPrinter(new DefaultPrettyPrinter());
  }

  static void print(PrintWriter out, String command, RunReport report, ExitCode code)
      throws IOException {
    print(out, command, report, code, json -> {});
  }

  /** Prints the document with further members. */
  static void print(
      PrintWriter out, String command, RunReport report, ExitCode code, ChannelCommand.Members more)
      throws IOException {
    try (JsonGenerator json = generator(out)) {
      json.writeStartObject();
      json.writeStringField("command", command);
      json.writeNumberField("exitStatus", code.status());
      device(json, report.opened());
      json.writeArrayFieldStart("files");
      for (FileEvent event : report.results()) {
        file(json, event);
      }
      json.writeEndArray();
      more.write(json);
      end(json, report.ended());
      json.writeEndObject();
    }
    out.println();
  }

  static void device(JsonGenerator json, BatchEvent.@Nullable Opened opened) throws IOException {
    if (opened != null) {
      json.writeObjectFieldStart("device");
      json.writeStringField("library", opened.library());
      json.writeStringField("version", opened.version());
      json.writeStringField("pciAddress", opened.device());
      json.writeNumberField("engines", opened.engines());
      json.writeEndObject();
    }
  }

  static void end(JsonGenerator json, BatchEvent.@Nullable Ended ended) throws IOException {
    if (ended != null) {
      json.writeStringField("census", ended.census());
      if (ended.failure().isPresent()) {
        json.writeFieldName("error");
        failure(json, ended.failure().get());
      }
    }
  }

  private static void file(JsonGenerator json, FileEvent event) throws IOException {
    FileJob job = event.job();
    json.writeStartObject();
    json.writeStringField("input", job.input().toString());
    json.writeStringField("output", job.output().toString());
    json.writeBooleanField("ok", event instanceof FileEvent.Done);
    if (event instanceof FileEvent.Done done) {
      FileReport report = done.report();
      json.writeNumberField("bytesIn", report.bytesIn());
      json.writeNumberField("bytesOut", report.bytesOut());
      json.writeNumberField("blocks", report.blocks());
      if (report.resumed().blocks() > 0) {
        json.writeNumberField("blocksResumed", report.resumed().blocks());
      }
      json.writeNumberField("seconds", RunReport.seconds(report.elapsed()));
      if (RunReport.hasRatio(job)) {
        json.writeNumberField("ratio", RunReport.ratio(job, report));
      }
      json.writeNumberField("gibPerSecond", RunReport.gibPerSecond(job, report));
    } else if (event instanceof FileEvent.Failed failed) {
      json.writeFieldName("error");
      failure(json, failed.failure());
    }
    json.writeEndObject();
  }

  static void failure(JsonGenerator json, FileFailure failure) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", failure.kind().name().toLowerCase(Locale.ROOT));
    json.writeStringField("message", failure.message());
    if (failure.file() != null) {
      json.writeStringField("file", failure.file().toString());
    }
    if (failure.block().isPresent()) {
      json.writeNumberField("block", failure.block().getAsLong());
    }
    if (failure.device().isPresent()) {
      json.writeStringField("docaOperation", failure.device().get().operation());
      json.writeStringField("docaCode", failure.device().get().code().docaName());
    }
    json.writeEndObject();
  }
}
