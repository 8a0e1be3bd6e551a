package io.dpuactors.benchmarks.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Rows of cells, of which the first row is the header. Forms: terminal, TSV, Markdown, LaTeX. */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table with a header. */
  public Table(Object... header) {
    row(header);
  }

  /** Adds a row. An array as a cell contributes its elements. */
  public Table row(Object... cells) {
    rows.add(
        Stream.of(cells)
            .flatMap(cell -> cell instanceof Object[] all ? Stream.of(all) : Stream.of(cell))
            .map(Object::toString)
            .toList());
    return this;
  }

  /** Prints the table for a terminal, each row with a format of {@link java.util.Formatter}. */
  public void print(PrintWriter out, String format) {
    rows.forEach(row -> out.printf(format, row.toArray()));
  }

  /** Returns tab-separated values. */
  public String tsv() {
    return lines(rows, row -> String.join("\t", row));
  }

  /** Returns a table of Markdown. All columns but the first are aligned to the right. */
  public String markdown() {
    List<List<String>> all = new ArrayList<>(rows);
    all.add(1, List.of("---" + "|--:".repeat(rows.get(0).size() - 1)));
    return lines(all, row -> row.size() == 1 ? "|" + row.get(0) + "|" : cells(row));
  }

  private static String cells(List<String> row) {
    return "| " + String.join(" | ", row) + " |";
  }

  /** Returns the rows of a table of LaTeX, without the header. */
  public String latexRows() {
    return lines(rows.subList(1, rows.size()), row -> String.join(" & ", row) + " \\\\");
  }

  private static String lines(List<List<String>> rows, Function<List<String>, String> line) {
    StringBuilder text = new StringBuilder();
    rows.forEach(row -> text.append(line.apply(row)).append('\n'));
    return text.toString();
  }
}
