package io.dpuactors.apps.file;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Json;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.FileReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints the JSON document of a command that processes files. */
public final class JsonReport {
  private JsonReport() {}

  /** Prints the document with further members. */
  public static void print(
      PrintWriter out, String command, RunReport report, ExitCode code, Json.Members more)
      throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
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

  /** Writes the device of a run; nothing if none was opened. */
  public static void device(JsonGenerator json, BatchEvent.@Nullable Opened opened)
      throws IOException {
    if (opened != null) {
      json.writeObjectFieldStart("device");
      json.writeStringField("library", opened.library());
      json.writeStringField("version", opened.version());
      json.writeStringField("pciAddress", opened.device());
      json.writeNumberField("engines", opened.engines());
      json.writeEndObject();
    }
  }

  /** Writes the census of an ended run, and its failure; nothing if the run has not ended. */
  public static void end(JsonGenerator json, BatchEvent.@Nullable Ended ended) throws IOException {
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

  /** Writes the failure of a file or a run as an object. */
  public static void failure(JsonGenerator json, FileFailure failure) throws IOException {
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
