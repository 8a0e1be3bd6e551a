package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests the programs that share the engines of one run. */
class MixedProgramTest {
  private static final int SEEDS = 60;
  private static final Set<String> PARTS =
      Set.of("part tasks-dpu", "part tasks-host", "part comch", "part rdma", "part sync-event");

  @Test
  void eachPartSharesTheEnginesWithEachOther() {
    Set<String> together = new TreeSet<>();
    try (Simulator simulator = Simulator.create()) {
      for (int seed = 1; seed <= SEEDS; seed++) {
        Outcome outcome = simulator.run("mixed", seed, Reduction.NONE, null);
        assertThat(outcome.problem()).as("seed %d", seed).isEmpty();
        Set<String> parts =
            outcome.reached().keySet().stream()
                .filter(PARTS::contains)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(parts).hasSizeBetween(MixedProgram.FEWEST, MixedProgram.MOST);
        parts.forEach(one -> parts.forEach(other -> together.add(one + " and " + other)));
      }
    }
    assertThat(together).hasSize(PARTS.size() * PARTS.size());
  }

  /** A disturbed engine lets more tasks complete at a stop. The parts of this seed start later. */
  @Test
  void aPartHearsOfDisturbancesBeforeItsStart() {
    try (Simulator simulator = Simulator.create()) {
      Outcome outcome = simulator.run("mixed", 1044, Reduction.NONE, null);
      assertThat(outcome.reached()).containsKey("mixed/opening x FAIL_SUBMIT");
      assertThat(outcome.problem()).isEmpty();
    }
  }

  /** The parts wait for each other's steps. */
  @Test
  void theLimitsAllowMoreSteps() {
    Pace pace = new Pace(2_000, 100, 50_000_000);
    assertThat(pace.slower().slackNs()).isBetween(3 * pace.slackNs(), 4 * pace.slackNs());
    assertThat(Pace.NONE.slower()).isEqualTo(Pace.NONE);
  }
}
