package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.simulation.Disturbances.Disturb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests the tables of states and disturbances. */
class CoverageTest {
  private static final Path FILE =
      PlantedFault.ROOT.resolve("docs").resolve("simulation-coverage.txt");

  private static final Path TARGET = PlantedFault.ROOT.resolve("testkit").resolve("target");

  /** Number of seeds of each scenario in a short run. */
  private static final long SHORT = 20;

  private static final String REACHED = "x";

  /** Mark of a cell that is possible. */
  private static final String RARE = "?";

  @Test
  void aPlanHasARowForEachAction() {
    assertThat(Coverage.rows(new Disturb(Disturbance.KILL_ENGINE, "", "", 0)))
        .containsExactly("KILL_ENGINE");
    assertThat(
            Coverage.rows(
                new Disturb(
                    Disturbance.FAULTS,
                    "*:delay=3s:nth=1 ; *:fail:p=0.01 ; alloc-buf:fail:first=1 ; comch-link:down"
                        + " ; ctx-event:lost:nth=2",
                    "",
                    0)))
        .containsExactly("delay", "fail", "alloc-buf", "comch-link", "ctx-event");
  }

  @Test
  void emptyRulesHaveNoRow() {
    assertThat(Coverage.rows(" ; *:fail;")).containsExactly("fail");
    assertThat(Coverage.rows("")).isEmpty();
  }

  @Test
  void eachProgramHasATableOfItsCellsAndTheOthersAreTheRest() {
    Map<String, Long> reached =
        Map.of("dma/idle x fail", 7L, "dma/busy x lost", 8L, "sha/busy x lost", 3L, "a/b", 9L);
    assertThat(Coverage.table(reached))
        .containsExactly(
            "dma                     busy        idle",
            "fail                       0           7",
            "lost                       8           0",
            "sha                     busy",
            "lost                       3");
    assertThat(Coverage.others(reached)).containsExactly(Map.entry("a/b", 9L));
    assertThat(Coverage.table(Map.of("completed", 9L))).isEmpty();
  }

  /** A line of the file; without marks if it is no row of a table. */
  private record Line(String text, Map<String, String> marks) {
    /** Returns the line with the marks of these cells. */
    Line reached(Set<String> reached) {
      if (marks.isEmpty()) {
        return this;
      }
      Map<String, String> now = new LinkedHashMap<>(marks);
      now.replaceAll(
          (cell, mark) -> reached.contains(cell) ? REACHED : mark.replace(REACHED, RARE));
      String row = text.substring(0, text.indexOf(' '));
      return new Line(Coverage.line(row, now.values().stream()), now);
    }
  }

  private static List<Line> lines() throws IOException {
    List<Line> lines = new ArrayList<>();
    List<String> head = List.of();
    for (String text : Files.readAllLines(FILE)) {
      List<String> row = List.of(text.trim().split(" +", -1));
      Map<String, String> marks = new LinkedHashMap<>();
      if (text.isEmpty() || text.startsWith("#")) {
        head = List.of();
      } else if (head.isEmpty()) {
        head = row;
      } else {
        assertThat(row).as(text).hasSameSizeAs(head);
        for (int i = 1; i < row.size(); i++) {
          String place = Coverage.place(head.get(0), head.get(i));
          marks.put(Coverage.cell(place, row.get(0)), row.get(i));
        }
      }
      lines.add(new Line(text, marks));
    }
    return lines;
  }

  private static Map<String, String> cells() throws IOException {
    Map<String, String> cells = new TreeMap<>();
    lines().forEach(line -> cells.putAll(line.marks()));
    return cells;
  }

  /** Returns the cells of the file with one of these marks. */
  private static Set<String> cells(String... marks) throws IOException {
    Map<String, String> cells = cells();
    cells.values().retainAll(Set.of(marks));
    return cells.keySet();
  }

  /** Returns the cells that the seeds of all scenarios of this module reach. */
  private static Set<String> reached(long seeds) {
    Set<String> reached = new TreeSet<>();
    for (String scenario : Simulator.scenarios()) {
      Campaign.Result result = new Campaign(() -> false, done -> {}).run(scenario, 1, seeds);
      assertThat(result.failure()).as(scenario).isEmpty();
      reached.addAll(result.reached().keySet());
    }
    reached.removeIf(name -> !name.contains(" x "));
    return reached;
  }

  @Test
  void theFileHasEachScenarioStateAndDisturbance() throws IOException {
    Set<String> cells = cells().keySet();
    for (String scenario : Simulator.scenarios()) {
      for (Disturbance what : Disturbance.values()) {
        for (String state : Cells.states(scenario)) {
          assertThat(cells).contains(Coverage.cell(Coverage.place(scenario, state), what.name()));
        }
      }
    }
  }

  @Test
  void theFileHasEachScenarioStateAndFault() throws IOException {
    Set<String> cells = cells().keySet();
    Set<String> faults = faults();
    assertThat(faults).contains("lost", "comch-link", "alloc-pool");
    for (String scenario : Simulator.scenarios()) {
      for (String fault : faults) {
        for (String state : Cells.states(scenario)) {
          assertThat(cells).contains(Coverage.cell(Coverage.place(scenario, state), fault));
        }
      }
    }
  }

  /** The rule of the code has the cells that no run can reach, and the file has its reasons. */
  @Test
  void theMarksOfImpossibleCellsAreThoseOfTheRule() throws IOException {
    Map<String, String> cells = cells();
    List<String> header = Files.readAllLines(FILE);
    for (String scenario : Simulator.scenarios()) {
      for (String state : Cells.states(scenario)) {
        for (String row : Cells.rows()) {
          String cell = Coverage.cell(Coverage.place(scenario, state), row);
          Optional<Cells.Impossible> why = Cells.impossible(scenario, state, row);
          assertThat(cells.get(cell))
              .as(cell)
              .isIn(why.map(one -> List.of(one.mark())).orElse(List.of(REACHED, RARE)));
        }
      }
    }
    for (Cells.Impossible one : Cells.Impossible.values()) {
      assertThat(header).contains("# " + one.mark() + ": " + one.why());
    }
  }

  /** Seeds aim at each possible cell of the file, and at no other. */
  @Test
  void seedsAimAtEachPossibleCell() throws IOException {
    Set<String> aimed = new TreeSet<>();
    for (String scenario : Simulator.scenarios()) {
      for (Cells.Cell cell : Cells.possible(scenario)) {
        aimed.add(Coverage.cell(Coverage.place(scenario, cell.state()), cell.row()));
      }
    }
    assertThat(aimed).isEqualTo(cells(REACHED, RARE));
  }

  @Test
  void theRuleKnowsAllFaultsOfPlans() {
    assertThat(faults()).containsExactlyInAnyOrderElementsOf(Cells.faults());
  }

  /** Returns the rows of all faults that plans may have. */
  private static Set<String> faults() {
    Set<String> rows = new TreeSet<>();
    Run run = Runs.of(new StillControl());
    for (int i = 0; i < 5_000; i++) {
      rows.addAll(Coverage.rows(FaultPlans.draw(run)));
    }
    return rows;
  }

  @Test
  void eachMarkIsExplained() throws IOException {
    List<String> lines = Files.readAllLines(FILE);
    for (String mark : new TreeSet<>(cells().values())) {
      assertThat(lines).as(mark).anyMatch(line -> line.startsWith("# " + mark + ": "));
    }
  }

  @Test
  void seedsReachEachPossibleCell() throws IOException {
    assertThat(cells(RARE)).isEmpty();
  }

  /** A short run reaches a part of the cells that the file has as reached, and no others. */
  @Test
  @Timeout(300) // a calm machine needs a few seconds
  void someSeedsReachTheCellsOfTheFile() throws IOException {
    Set<String> reached = reached(SHORT);
    Set<String> known = cells(REACHED);
    assertThat(known).containsAll(reached).hasSizeLessThan(8 * reached.size());
  }

  @Test
  @EnabledIfSystemProperty(named = "coverage.seeds", matches = "\\d+")
  @Timeout(value = 4, unit = TimeUnit.HOURS)
  void manySeedsReachTheCellsOfTheFile() throws IOException {
    long seeds = Long.getLong("coverage.seeds");
    Set<String> reached = reached(seeds);
    List<String> updated =
        lines().stream()
            .map(line -> withSeeds(line.reached(reached).text(), seeds).stripTrailing())
            .toList();
    Files.write(TARGET.resolve("simulation-coverage.txt"), updated);
    Set<String> unreached = cells(REACHED, RARE);
    unreached.removeAll(reached);
    Files.write(TARGET.resolve("simulation-unreached.txt"), unreached);
    System.out.printf("%d possible cells are not reached:%n", unreached.size());
    unreached.forEach(System.out::println);
    System.out.printf("%d seeds aim at each cell once%n", seedsOfOneRound());
    assertThat(reached).isEqualTo(cells(REACHED));
  }

  /** Returns the number of seeds after which each scenario has aimed at each of its cells. */
  private static long seedsOfOneRound() {
    return Simulator.scenarios().stream()
        .mapToLong(scenario -> (long) Aim.SEEDS * Cells.possible(scenario).size())
        .max()
        .orElseThrow();
  }

  /** Returns a line with the number of seeds of a run, if the line is one of the header's. */
  private static String withSeeds(String line, long seeds) {
    return line.replaceAll("(the first |-Dcoverage\\.seeds=)\\d+", "$1" + seeds);
  }

  @Test
  void theHeaderHasTheNumberOfSeedsOfTheRun() throws IOException {
    assertThat(withSeeds("# ?: the first 300 seeds", 7)).isEqualTo("# ?: the first 7 seeds");
    assertThat(withSeeds("-Dcoverage.seeds=300 \\", 7)).isEqualTo("-Dcoverage.seeds=7 \\");
    assertThat(withSeeds("fail    x   ?", 7)).isEqualTo("fail    x   ?");
    List<String> lines = Files.readAllLines(FILE);
    long changed = lines.stream().filter(line -> !withSeeds(line, -1).equals(line)).count();
    assertThat(changed).as("lines with the number").isEqualTo(2);
  }

  @Test
  void theFileOfItsOwnCellsIsTheSame() throws IOException {
    Set<String> reached = cells(REACHED);
    assertThat(lines()).allSatisfy(line -> assertThat(line.reached(reached)).isEqualTo(line));
    Line row = new Line("fail   x  ?  e", Map.of("a", "x"));
    assertThat(row.reached(Set.of()).marks()).containsExactly(Map.entry("a", "?"));
  }
}
