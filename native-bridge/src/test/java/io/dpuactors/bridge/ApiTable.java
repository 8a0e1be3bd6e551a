package io.dpuactors.bridge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Table of DOCA's API from the folder {@code api} of this module: tab-separated, with column names
 * in the first line.
 */
public final class ApiTable {
  /** One line of a table. */
  public record Row(Map<String, String> cells) {

    /** Returns the cell of an existing column. */
    public String get(String column) {
      return Objects.requireNonNull(cells.get(column), column);
    }
  }

  private ApiTable() {}

  /** Returns all rows, with their cells by column name. */
  public static List<Row> read(String name) {
    Path file = Path.of(System.getProperty("basedir", ".")).resolve("api").resolve(name);
    try {
      List<String> lines = Files.readAllLines(file);
      String[] columns = lines.get(0).split("\t", -1);
      List<Row> rows = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        String[] cells = line.split("\t", -1);
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < columns.length; i++) {
          row.put(columns[i], i < cells.length ? cells[i] : "");
        }
        rows.add(new Row(row));
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException("the table " + file + " cannot be read", e);
    }
  }
}
