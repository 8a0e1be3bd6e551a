package io.dpuactors.simulation;

import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The states of programs in which disturbances happened: cells of tables, with their numbers. A
 * program is a scenario, or the library of a context.
 */
public final class Coverage {
  private static final String SEPARATOR = " x ";

  /** Types of rules with one row for all their actions, besides those for allocations. */
  private static final Set<String> ROWS = Set.of("comch-link", "ctx-event");

  private Coverage() {}

  /** Returns the name of a program in a state. */
  static String place(String program, String state) {
    return program + "/" + state;
  }

  /** Returns the name of a cell. */
  static String cell(String place, String row) {
    return place + SEPARATOR + row;
  }

  /**
   * Returns the rows of a disturbance: its name, or the actions of its fault plan. The row of a
   * rule for an allocation, a comch link or reports of states is the type of the rule.
   */
  static List<String> rows(Disturb disturb) {
    return disturb.plan().isEmpty() ? List.of(disturb.what().name()) : rows(disturb.plan());
  }

  /** Returns the row of each rule of a fault plan. */
  static List<String> rows(String plan) {
    return Stream.of(plan.split(";", -1))
        .filter(rule -> !rule.isBlank())
        .map(Coverage::row)
        .toList();
  }

  private static String row(String rule) {
    String[] parts = rule.trim().split("[:=]", -1);
    return parts[0].startsWith("alloc-") || ROWS.contains(parts[0]) ? parts[0] : parts[1];
  }

  /** Returns the cases that are no cells. */
  public static Map<String, Long> others(Map<String, Long> reached) {
    Map<String, Long> others = new TreeMap<>(reached);
    others.keySet().removeIf(name -> name.contains(SEPARATOR));
    return others;
  }

  /** Returns the lines of the tables: of each program a row per disturbance, a column per state. */
  public static List<String> table(Map<String, Long> reached) {
    Map<String, Map<String, Map<String, Long>>> programs = new TreeMap<>();
    reached.forEach(
        (name, count) -> {
          String[] cell = name.split(SEPARATOR + "|/", -1);
          if (cell.length == 3) {
            programs
                .computeIfAbsent(cell[0], program -> new TreeMap<>())
                .computeIfAbsent(cell[2], row -> new TreeMap<>())
                .put(cell[1], count);
          }
        });
    return programs.entrySet().stream()
        .flatMap(one -> table(one.getKey(), one.getValue()))
        .toList();
  }

  private static Stream<String> table(String program, Map<String, Map<String, Long>> rows) {
    Set<String> states = new TreeSet<>();
    rows.values().forEach(row -> states.addAll(row.keySet()));
    Stream<String> lines =
        rows.entrySet().stream()
            .map(
                row ->
                    line(
                        row.getKey(),
                        states.stream().map(state -> row.getValue().getOrDefault(state, 0L))));
    return Stream.concat(Stream.of(line(program, states.stream())), lines);
  }

  /** Returns a line of a table. */
  static String line(String head, Stream<?> columns) {
    return columns
        .map("%12s"::formatted)
        .collect(Collectors.joining("", "%-16s".formatted(head), ""));
  }
}
