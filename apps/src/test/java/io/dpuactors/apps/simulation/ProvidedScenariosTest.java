package io.dpuactors.apps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.simulation.Campaign;
import io.dpuactors.simulation.Simulator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the scenarios that this module adds to the simulation. */
@Timeout(600) // a calm machine needs a few seconds for each method
class ProvidedScenariosTest {
  private static final int SEEDS = 200;
  private static final int AGAIN = 12;

  @Test
  void theSimulatorFindsTheScenarios() {
    assertThat(Simulator.scenarios()).contains("services", "streams");
  }

  @ParameterizedTest
  @ValueSource(strings = {"services", "streams"})
  void allSeedsKeepThePromises(String scenario) {
    Campaign.Result result = run(scenario, 1, SEEDS);
    assertThat(result.seeds()).isEqualTo(SEEDS);
    assertThat(result.reached()).containsKeys("STOP_ENGINE", "BREAK_CONTEXT", "KILL_ENGINE");
    assertThat(result.reached()).containsKeys(cases(scenario));
  }

  /** Returns cases of a scenario that a change of the scenario could make impossible. */
  private static String[] cases(String scenario) {
    return scenario.equals("services")
        ? new String[] {
          "PING served", "DATA served", "DMA served", "COMPRESS served", "DATA failed"
        }
        : new String[] {
          "graph COMPLETE completed", "graph TAKE completed", "graph ABORT failed", "flow comch"
        };
  }

  /**
   * These seeds failed. A batch stood still between two engines. A refusal had an unexpected log
   * line. The leases of a program that waited for a context were lost. A stream of a client had no
   * end after the end of its engine.
   */
  @ParameterizedTest
  @CsvSource({"services,3", "services,407", "services,703", "streams,1320"})
  void aSeedThatFailedPasses(String scenario, long seed) {
    assertThat(run(scenario, seed, 1).seeds()).isEqualTo(1);
  }

  /**
   * The other process runs the last seed alone: streams and names of earlier runs have no effect.
   */
  @ParameterizedTest
  @ValueSource(strings = {"services", "streams"})
  void aSeedAloneInAnotherProcessRunsAsAfterOthers(String scenario)
      throws IOException, InterruptedException {
    long before = run(scenario, 1, AGAIN - 1).hash();
    long all = run(scenario, 1, AGAIN).hash();
    assertThat(elsewhere(scenario)).isEqualTo(Long.toString(all - before));
  }

  private static Campaign.Result run(String scenario, long from, long seeds) {
    Campaign.Result result = new Campaign(() -> false, done -> {}).run(scenario, from, seeds);
    assertThat(result.failure()).isEmpty();
    return result;
  }

  /** Prints the hash of one seed of a scenario. */
  public static void main(String[] scenario) {
    System.out.println(run(scenario[0], AGAIN, 1).hash());
  }

  private static String elsewhere(String scenario) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ProvidedScenariosTest.class.getName(),
                    scenario))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return line;
  }
}
