package io.dpuactors.loop;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counters of a loop since its start. Written and read on the loop's thread. */
public final class LoopCounters {
  long turns;
  long mailboxRuns;
  long deviceEvents;
  long parks;
  long stalls;
  long deviceFailures;
  long longestTurnNs;

  /** Returns all counters by name, in a stable order. */
  public Map<String, Long> snapshot() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("turns", turns);
    counters.put("mailbox-runs", mailboxRuns);
    counters.put("device-events", deviceEvents);
    counters.put("parks", parks);
    counters.put("stalls", stalls);
    counters.put("device-failures", deviceFailures);
    counters.put("longest-turn-ns", longestTurnNs);
    return counters;
  }
}
