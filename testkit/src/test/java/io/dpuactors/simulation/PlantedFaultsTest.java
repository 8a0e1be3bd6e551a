package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.simulation.PlantedSearch.Kind;
import io.dpuactors.simulation.PlantedSearch.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Measures what the simulation finds: plants faults, one at a time, in a copy of the source. The
 * whole measurement takes minutes to hours:
 *
 * <pre>
 * mvn -pl testkit -am test -Dtest=PlantedFaultsTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dplanted.seeds=20000 [-Dplanted.only=NAME,NAME]
 * </pre>
 */
class PlantedFaultsTest {
  static List<PlantedFault> faults() {
    return PlantedFault.all();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void theTableMatchesTheSource(PlantedFault fault) throws IOException {
    assertThat(fault.source()).isNotEmpty();
  }

  @Test
  @EnabledIfSystemProperty(named = "planted.seeds", matches = "\\d+")
  @Timeout(value = 24, unit = TimeUnit.HOURS)
  void theSimulationFindsTheFaults(@TempDir Path folder) throws IOException, InterruptedException {
    long seeds = Long.getLong("planted.seeds");
    List<String> only = List.of(System.getProperty("planted.only", "").split(","));
    boolean searchesAll = only.equals(List.of(""));
    PlantedSearch search = new PlantedSearch(folder);
    assertThat(search.run("control", control(), seeds).kind()).isEqualTo(Kind.NOT_FOUND);
    List<String> failed = new ArrayList<>();
    for (PlantedFault fault : faults()) {
      if (searchesAll || only.contains(fault.name())) {
        Result result = search.run(fault.name(), List.of(fault), seeds);
        System.out.println(fault + " " + result);
        if (result.kind() != (fault.isMissed() ? Kind.NOT_FOUND : Kind.FOUND)) {
          failed.add(fault + " " + result);
        }
      }
    }
    assertThat(failed).as("results that the table does not have").isEmpty();
    if (searchesAll) {
      assertThat(faults())
          .filteredOn(PlantedFault::isMissed)
          .as("missed faults: one of ten at most")
          .hasSizeLessThanOrEqualTo(faults().size() / 10);
    }
  }

  @Test
  void theTableNamesMissedFaults() {
    assertThat(faults()).anyMatch(PlantedFault::isMissed).anyMatch(fault -> !fault.isMissed());
    assertThat(faults()).extracting(PlantedFault::name).doesNotHaveDuplicates();
  }

  /** Returns changes of a Java file and a C file without an effect. */
  private static List<PlantedFault> control() {
    return Stream.of(true, false)
        .map(java -> faults().stream().filter(fault -> fault.isJava() == java).findFirst())
        .map(fault -> fault.orElseThrow().without())
        .toList();
  }

  /** The last replacement ends the process, which says nothing about a promise. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "handed[indexOf(kind)] -= tasks; | NOT_FOUND",
        "handed[indexOf(kind)] -= 0; | FOUND",
        "Runtime.getRuntime().halt(0); | BROKEN",
      })
  void aSearchHasOneOfThreeResults(String replacement, Kind kind, @TempDir Path folder)
      throws IOException, InterruptedException {
    PlantedFault fault =
        new PlantedFault(
            "credit",
            "actors/src/main/java/io/dpuactors/node/Credit.java",
            "handed[indexOf(kind)] -= tasks;",
            replacement,
            false);
    Result result = new PlantedSearch(folder).run("credit", List.of(fault), 1);
    assertThat(result.kind()).as(result.text()).isEqualTo(kind);
  }

  @Test
  void aResultIsReadAmongOtherLines() {
    assertThat(Result.read(List.of("found: x", "result FOUND dma, seed 1: x"), 0))
        .isEqualTo(new Result(Kind.FOUND, "dma, seed 1: x"));
    assertThat(Result.read(List.of("found: x"), 134))
        .isEqualTo(Result.broken("the process ended with status 134"));
  }
}
