package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the table of states and disturbances. */
class CoverageTest {
  @Test
  void aPlanHasARowForEachAction() {
    assertThat(Coverage.rows(new Disturb(Disturbance.KILL_ENGINE, "")))
        .containsExactly("KILL_ENGINE");
    assertThat(Coverage.rows(new Disturb(Disturbance.FAULTS, "*:delay=3s:nth=1 ; *:fail:p=0.01")))
        .containsExactly("delay", "fail");
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
}
