package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.simulation.Disturbances.Disturb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests the table of states and disturbances. */
class CoverageTest {
  private static final Path FILE =
      PlantedFault.ROOT.resolve("docs").resolve("simulation-coverage.txt");

  @Test
  void aPlanHasARowForEachAction() {
    assertThat(Coverage.rows(new Disturb(Disturbance.KILL_ENGINE, "", "", 0)))
        .containsExactly("KILL_ENGINE");
    assertThat(
            Coverage.rows(
                new Disturb(
                    Disturbance.FAULTS,
                    "*:delay=3s:nth=1 ; *:fail:p=0.01 ; alloc-buf:fail:first=1 ; comch-link:down",
                    "",
                    0)))
        .containsExactly("delay", "fail", "alloc-buf", "comch-link");
  }

  @Test
  void theTableHasTheCellsAndTheOthersTheRest() {
    Map<String, Long> reached = Map.of("idle x fail", 7L, "busy x lost", 8L, "completed", 9L);
    assertThat(Coverage.table(reached))
        .containsExactly(
            "                        busy        idle",
            "fail                       0           7",
            "lost                       8           0");
    assertThat(Coverage.others(reached)).containsExactly(Map.entry("completed", 9L));
    assertThat(Coverage.table(Map.of("completed", 9L))).isEmpty();
  }

  /** Returns the cells of the file with this mark. */
  private static Set<String> cells(List<String> lines, String mark) {
    List<String> states = columns(lines.get(0));
    return lines.stream()
        .skip(1)
        .map(CoverageTest::columns)
        .flatMap(
            row ->
                IntStream.range(1, states.size())
                    .filter(i -> row.get(i).equals(mark))
                    .mapToObj(i -> Coverage.cell(states.get(i), row.get(0))))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> columns(String line) {
    return List.of(line.trim().split(" +", -1));
  }

  /** Returns the lines of the table in the file. */
  private static List<String> table() throws IOException {
    return Files.readAllLines(FILE).stream().filter(line -> !line.startsWith("#")).toList();
  }

  @Test
  void theFileHasEachStateAndDisturbance() throws IOException {
    List<String> table = table();
    Set<String> states = new HashSet<>(columns(table.get(0)));
    states.remove("fault");
    assertThat(states)
        .isEqualTo(
            Stream.of(
                    TaskProgram.STATES,
                    ComchProgram.STATES,
                    RdmaProgram.STATES,
                    SyncEventProgram.STATES)
                .flatMap(List::stream)
                .collect(Collectors.toSet()));
    assertThat(table.stream().map(line -> columns(line).get(0)))
        .containsAll(Stream.of(Disturbance.values()).map(Enum::name).toList());
  }

  @Test
  @EnabledIfSystemProperty(named = "coverage.seeds", matches = "\\d+")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void theSeedsReachTheCellsOfTheFile() throws IOException {
    Set<String> reached = new TreeSet<>();
    for (String scenario : Simulator.scenarios()) {
      Campaign.Result result =
          new Campaign(() -> false, seeds -> {}).run(scenario, 1, Long.getLong("coverage.seeds"));
      assertThat(result.failure()).as(scenario).isEmpty();
      reached.addAll(result.reached().keySet());
    }
    reached.removeIf(name -> !name.contains(" x "));
    assertThat(reached).isEqualTo(cells(table(), "x"));
  }
}
