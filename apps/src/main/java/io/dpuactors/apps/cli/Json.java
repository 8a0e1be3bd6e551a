package io.dpuactors.apps.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * JSON on the output of a command. Commands write each field themselves: the start of data binding
 * would take longer than the printing.
 */
public final class Json {
  private Json() {}

  /** Writes the members of a JSON object. */
  public interface Members {
    void write(JsonGenerator json) throws IOException;
  }

  /** Returns a generator of an indented document. Its end leaves {@code out} open. */
  public static JsonGenerator generator(PrintWriter out) throws IOException {
    return compact(out).setPrettyPrinter(new DefaultPrettyPrinter());
  }

  /** Prints one object on one line. */
  public static void printLine(PrintWriter out, Members members) throws IOException {
    try (JsonGenerator json = compact(out)) {
      json.writeStartObject();
      members.write(json);
      json.writeEndObject();
    }
    out.println();
  }

  private static JsonGenerator compact(PrintWriter out) throws IOException {
    return new JsonFactory().createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
  }
}
