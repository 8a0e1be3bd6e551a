package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
    PlantedSearch search = new PlantedSearch(folder);
    List<String> unknown = new ArrayList<>();
    for (PlantedFault fault : faults()) {
      if (only.equals(List.of("")) || only.contains(fault.name())) {
        String result = search.run(fault, seeds);
        System.out.println(fault + " " + result);
        if (!result.startsWith("found")) {
          unknown.add(fault.name());
        }
      }
    }
    assertThat(unknown).isEmpty();
  }
}
