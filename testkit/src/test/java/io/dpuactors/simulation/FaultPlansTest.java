package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the random fault plans. */
class FaultPlansTest {
  private static final int PLANS = 5_000;
  private static final Pattern DELAY_MS = Pattern.compile("(?:\\*|comch-link):delay=(\\d+)(ms|s)");

  /**
   * The {@code stop-deadline} of contexts, milliseconds: a context with a later task, or a
   * connection with a later message, is lost.
   */
  private static final int STOP_DEADLINE_MS = 5_000;

  private List<String> plans() {
    Run run = Runs.of(new StillControl());
    List<String> plans = new ArrayList<>();
    for (int i = 0; i < PLANS; i++) {
      plans.add(FaultPlans.draw(run));
    }
    return plans;
  }

  @Test
  void allDelaysOfAPlanTogetherEndBeforeTheDeadlineOfAStop() {
    for (String plan : plans()) {
      Matcher delay = DELAY_MS.matcher(plan);
      int sumMs = 0;
      while (delay.find()) {
        sumMs += Integer.parseInt(delay.group(1)) * (delay.group(2).equals("s") ? 1_000 : 1);
      }
      assertThat(sumMs).as(plan).isLessThan(STOP_DEADLINE_MS);
    }
  }

  @Test
  void linksOfComchGoDownOrDelay() {
    assertThat(String.join(" ; ", plans())).contains("comch-link:down:", "comch-link:delay=");
  }

  @Test
  void thePlansHaveEachAction() {
    Set<String> actions = new HashSet<>();
    for (String plan : plans()) {
      actions.addAll(Coverage.rows(new Disturb(Disturbance.FAULTS, plan, "", 0)));
    }
    assertThat(actions)
        .containsExactlyInAnyOrder(
            "FAULTS",
            "fail",
            "delay",
            "again",
            "corrupt",
            "lost",
            "twice",
            "down",
            "drop",
            "comch-link",
            "alloc-task",
            "alloc-buf",
            "alloc-map",
            "alloc-key",
            "alloc-matrix",
            "alloc-pool",
            "alloc-context",
            "alloc-start",
            "alloc-engine");
  }
}
