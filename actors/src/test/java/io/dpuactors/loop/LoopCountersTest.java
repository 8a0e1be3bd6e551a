package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests the counters of several loops. */
class LoopCountersTest {
  @Test
  void aGroupHasTheSumOfTurnsAndTheLongestTurnOfOneLoop() {
    LoopCounters first = new LoopCounters();
    first.turns = 3;
    first.longestTurnNs = 500;
    LoopCounters second = new LoopCounters();
    second.turns = 4;
    second.longestTurnNs = 200;
    Map<String, Long> sum = new TreeMap<>();
    first.snapshot().forEach((name, value) -> LoopCounters.add(sum, name, value));
    second.snapshot().forEach((name, value) -> LoopCounters.add(sum, name, value));
    assertThat(sum).containsEntry("turns", 7L).containsEntry("longest-turn-ns", 500L);
  }
}
