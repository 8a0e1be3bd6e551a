package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the search for the smallest form of a failed run. */
class ShrinkerTest {
  @Test
  void onlyTheCauseOfTheFailureIsLeft() {
    Reduction smallest =
        Shrinker.smallest(form -> !form.dropped().contains(2) && form.requests() >= 10);
    assertThat(smallest).isEqualTo(new Reduction(16, Set.of(1, 3, 4, 5)));
    assertThat(smallest.options()).containsExactly("--requests", "16", "--drop", "1,3,4,5");
  }

  @Test
  void aFailureThatNeedsEverythingStaysAsItIs() {
    assertThat(Shrinker.smallest(Reduction.NONE::equals)).isEqualTo(Reduction.NONE);
    assertThat(Reduction.NONE.options()).isEmpty();
  }

  @Test
  void aFailureOfEachRunNeedsOneRequest() {
    assertThat(Shrinker.smallest(form -> true)).isEqualTo(new Reduction(1, Set.of(1, 2, 3, 4, 5)));
  }

  @Test
  void aReducedRunHasFewerRequestsAndNoDroppedDisturbance() {
    try (Simulator simulator = Simulator.create()) {
      for (String scenario : List.of("dma", "comch")) {
        Outcome whole = disturbed(simulator, scenario);
        Reduction calm = new Reduction(3, Set.of(1, 2, 3, 4));
        Outcome small = simulator.run(scenario, whole.seed(), calm, null);
        assertThat(small.reached().keySet()).noneMatch(ShrinkerTest::isDisturbance);
        assertThat(small.steps()).isLessThan(whole.steps());
      }
    }
  }

  /** Returns the first long run with a disturbance. */
  private static Outcome disturbed(Simulator simulator, String scenario) {
    return LongStream.rangeClosed(1, 20)
        .mapToObj(seed -> simulator.run(scenario, seed, Reduction.NONE, null))
        .filter(run -> run.steps() > 500)
        .filter(run -> run.reached().keySet().stream().anyMatch(ShrinkerTest::isDisturbance))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isDisturbance(String reached) {
    return Stream.of(Disturbance.values()).anyMatch(what -> what.name().equals(reached));
  }
}
