package io.dpuactors.simulation;

import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The states of programs in which disturbances happened: cells of a table, with their numbers. */
public final class Coverage {
  private static final String SEPARATOR = " x ";

  private Coverage() {}

  /** Returns the name of a cell. */
  static String cell(String state, String row) {
    return state + SEPARATOR + row;
  }

  /**
   * Returns the rows of a disturbance: its name, or the actions of its fault plan. The row of a
   * rule for an allocation or a comch link is the allocation or the link.
   */
  static List<String> rows(Disturb disturb) {
    return disturb.plan().isEmpty()
        ? List.of(disturb.what().name())
        : Stream.of(disturb.plan().split(";", -1)).map(Coverage::row).toList();
  }

  private static String row(String rule) {
    String[] parts = rule.trim().split("[:=]", -1);
    return parts[0].startsWith("alloc-") || parts[0].equals("comch-link") ? parts[0] : parts[1];
  }

  /** Returns the cases that are no cells. */
  public static Map<String, Long> others(Map<String, Long> reached) {
    Map<String, Long> others = new TreeMap<>(reached);
    others.keySet().removeIf(name -> name.contains(SEPARATOR));
    return others;
  }

  /** Returns the lines of the table: a row per disturbance, a column per state. */
  public static List<String> table(Map<String, Long> reached) {
    Set<String> states = new TreeSet<>();
    Set<String> rows = new TreeSet<>();
    for (String name : reached.keySet()) {
      String[] cell = name.split(SEPARATOR, -1);
      if (cell.length == 2) {
        states.add(cell[0]);
        rows.add(cell[1]);
      }
    }
    if (states.isEmpty()) {
      return List.of();
    }
    Stream<String> numbers =
        rows.stream()
            .map(
                row ->
                    line(
                        row,
                        states.stream().map(state -> reached.getOrDefault(cell(state, row), 0L))));
    return Stream.concat(Stream.of(line("", states.stream())), numbers).toList();
  }

  private static String line(String head, Stream<?> columns) {
    return columns
        .map("%12s"::formatted)
        .collect(Collectors.joining("", "%-16s".formatted(head), ""));
  }
}
