package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs 200 seeds of each scenario, and seeds that failed once. */
class SimulationTest {
  private static final int SEEDS = 200;

  static List<String> scenarios() {
    return Simulator.scenarios();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  @Timeout(300) // a calm machine needs a few seconds
  void allSeedsKeepThePromises(String scenario) {
    Campaign.Result result = new Campaign(() -> false, done -> {}).run(scenario, 1, SEEDS);
    assertThat(result.failure()).isEmpty();
    assertThat(result.seeds()).isEqualTo(SEEDS);
    assertThat(result.reached()).containsKeys("STOP_ENGINE", "BREAK_CONTEXT", "KILL_ENGINE");
  }

  /** Once the client reported the corrupted number of a message as a violation of the order. */
  @Test
  void aMessageThatTheFaultPlanCorruptsHasNoOrder() {
    Campaign.Result result = new Campaign(() -> false, done -> {}).run("comch", 1127, 80);
    assertThat(result.failure()).isEmpty();
    assertThat(result.reached()).containsKey("damaged message");
  }
}
