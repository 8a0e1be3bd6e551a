package io.dpuactors.apps.cli;

import io.dpuactors.wire.OneLine;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;

/** Prints rows with aligned columns. */
public final class TextTable {
  private TextTable() {}

  /** Prints rows of equal length; the first one determines the number of columns. */
  public static void print(PrintWriter out, List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      Arrays.setAll(widths, i -> Math.max(widths[i], row.get(i).length()));
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = OneLine.of(row.get(i));
        line.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
