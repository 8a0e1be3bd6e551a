package io.dpuactors.loop;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counters of a loop since its start. Written and read on the loop's thread. */
public final class LoopCounters {
  private static final String LONGEST_TURN = "longest-turn-ns";

  long turns;
  long mailboxRuns;
  long deviceEvents;
  long parks;
  long stalls;
  long deviceFailures;
  long longestTurnNs;

  /**
   * Adds a counter of one engine to the counters of a group. A group has the longest turn of all
   * its engines, and the sum of each other counter.
   */
  public static void add(Map<String, Long> sum, String name, long value) {
    sum.merge(name, value, name.equals(LONGEST_TURN) ? Long::max : Long::sum);
  }

  /** Returns all counters by name, in a stable order. */
  public Map<String, Long> snapshot() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("turns", turns);
    counters.put("mailbox-runs", mailboxRuns);
    counters.put("device-events", deviceEvents);
    counters.put("parks", parks);
    counters.put("stalls", stalls);
    counters.put("device-failures", deviceFailures);
    counters.put(LONGEST_TURN, longestTurnNs);
    return counters;
  }
}
