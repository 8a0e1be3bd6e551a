package io.dpuactors.apps.erasure;

import io.dpuactors.apps.cli.Size;
import io.dpuactors.apps.cli.TextTable;
import io.dpuactors.erasure.PartReport;
import io.dpuactors.erasure.PartSet;
import io.dpuactors.erasure.Stripes;
import io.dpuactors.wire.OneLine;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints the states of parts as a table for users. */
final class PartsTable {
  private PartsTable() {}

  static void print(PrintWriter out, PartReport report) {
    Stripes stripes = report.header().stripes();
    out.println(
        "%s in %d data and %d parity parts, %d blocks of %s in each"
            .formatted(
                Size.text(report.header().fileBytes()),
                stripes.data(),
                stripes.parity(),
                report.header().blocks(),
                Size.text(stripes.blockBytes())));
    out.println();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("PART", "KIND", "STATE", "DAMAGED BLOCKS", "FILE"));
    for (PartReport.Row row : report.rows()) {
      rows.add(
          List.of(
              String.valueOf(row.index()),
              row.index() < stripes.data() ? "data" : "parity",
              row.state().name().toLowerCase(Locale.ROOT),
              row.path() == null ? "-" : String.valueOf(row.damaged()),
              row.path() == null ? "-" : String.valueOf(row.path().getFileName())));
    }
    TextTable.print(out, rows);
    for (PartSet.Other other : report.others()) {
      String line = "Not used: %s: %s".formatted(other.path().getFileName(), other.reason());
      out.println(OneLine.of(line));
    }
  }
}
