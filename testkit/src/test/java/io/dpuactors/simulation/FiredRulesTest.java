package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a fault counts in the state in which it happens. */
class FiredRulesTest {
  private final List<String> reached = new ArrayList<>();
  private long[] fired = {0, 0};
  private String place = "dma/opening";
  private final FiredRules rules = new FiredRules(() -> fired, reached::add);

  private void begin() {
    rules.watch(() -> place);
    rules.begin("*:fail:nth=3 ; alloc-buf:fail");
  }

  private void move(String next) {
    place = next;
    rules.afterStep();
  }

  @Test
  void aPlanThatFiresNoRuleReachesNothing() {
    begin();
    move("dma/busy");
    move("dma/idle");
    rules.count();
    assertThat(reached).isEmpty();
  }

  @Test
  void aRuleCountsInTheStateOfItsFault() {
    begin();
    move("dma/busy");
    fired = new long[] {1, 0};
    rules.afterStep();
    assertThat(reached).isEmpty();
    move("dma/idle");
    assertThat(reached).containsExactly("dma/busy x fail");
    fired = new long[] {1, 4};
    move("dma/busy");
    rules.count();
    assertThat(reached).containsExactly("dma/busy x fail", "dma/idle x alloc-buf");
  }

  /** The state of a fault counts before an observer replaces the plan. */
  @Test
  void anObserverSeesThePlaceOfEachStepAfterItsFaults() {
    List<String> seen = new ArrayList<>();
    rules.aim(
        now -> {
          seen.add(now + " " + reached);
          rules.begin("*:fail");
        });
    begin();
    rules.afterStep();
    fired = new long[] {1};
    move("dma/busy");
    assertThat(seen).containsExactly("dma/opening []", "dma/busy [dma/opening x fail]");
  }

  @Test
  void theEndOfAPlanCounts() {
    begin();
    fired = new long[] {0, 1};
    rules.count();
    rules.begin("*:twice");
    fired = new long[] {2};
    rules.count();
    assertThat(reached).containsExactly("dma/opening x alloc-buf", "dma/opening x twice");
  }

  @Test
  void aRuleThatHasFiredIsKnownInAnyStateAndAfterItsPlan() {
    begin();
    move("");
    fired = new long[] {0, 2};
    assertThat(rules.inAnyState()).containsExactly("alloc-buf");
    fired = new long[] {1, 2};
    rules.count();
    rules.begin("*:twice");
    fired = new long[] {0};
    assertThat(rules.inAnyState()).containsExactly("alloc-buf", "fail");
    assertThat(reached).isEmpty();
  }

  @Test
  void anUnknownStateCountsNothing() {
    begin();
    move("");
    fired = new long[] {1, 1};
    move("dma/busy");
    assertThat(reached).isEmpty();
  }
}
