package io.dpuactors.simulation;

import io.dpuactors.simulation.FailingBehavior.Moment;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What makes answers fail: see {@link FailedAnswers}. */
enum FailureCause {
  /** The program's own deadlines, limits and unusable requests, which each run may have. */
  PROGRAM,
  /** An engine, a context, a connection or a behavior ends or restarts. */
  END,
  /**
   * The device fails a task, a link loses a packet or its connections, or a context has stopped
   * without a report.
   */
  FAULT,
  /** Contexts stop by themselves, because their device is lost or their host dies. */
  LOSS,
  /** An allocation fails. */
  ALLOCATION,
  /** Tasks or packets are late, or the clock jumps. */
  DELAY,
  /** An output has a wrong bit. */
  CORRUPTION;

  /** The name of a case of {@link Run#reached}: a behavior of a connection throws. */
  static final String THROWN = "behavior throws";

  private static final Map<String, Set<FailureCause>> TABLE = table();

  /** A failed context or connection ends, and may restart. */
  private static Map<String, Set<FailureCause>> table() {
    Map<String, Set<FailureCause>> table = new HashMap<>();
    put(table, EnumSet.of(END), THROWN);
    for (Moment moment : Moment.values()) {
      put(table, EnumSet.of(END), moment.toString());
    }
    put(table, EnumSet.of(END), "STOP_CONTEXT", "BREAK_CONTEXT", "KILL_CONTEXT");
    put(table, EnumSet.of(END), "FAIL_START", "FAIL_STOP", "FAIL_RESTART");
    put(table, EnumSet.of(END), "STOP_ENGINE", "BREAK_ENGINE", "KILL_ENGINE", "STOP_SYSTEM");
    put(table, EnumSet.of(END), "FAIL_TURNS", "FAIL_WAITS", "FAIL_SUBMIT");
    put(table, EnumSet.of(END, LOSS), "KILL_HOST", "lost");
    put(table, EnumSet.of(DELAY), "JUMP_CLOCK", "delay", "again");
    put(table, EnumSet.of(FAULT, END), "fail");
    put(table, EnumSet.of(FAULT, END, DELAY), "down", "drop", "comch-link", "ctx-event");
    put(table, EnumSet.of(CORRUPTION), "corrupt");
    put(table, EnumSet.of(ALLOCATION, END), "alloc-task", "alloc-buf", "alloc-map", "alloc-key");
    put(table, EnumSet.of(ALLOCATION, END), "alloc-matrix", "alloc-pool", "alloc-engine");
    put(table, EnumSet.of(ALLOCATION, END), "alloc-context", "alloc-start", "alloc-packet");
    put(table, EnumSet.noneOf(FailureCause.class), "FAULTS", "twice");
    return table;
  }

  private static void put(
      Map<String, Set<FailureCause>> table, Set<FailureCause> causes, String... names) {
    for (String name : names) {
      table.put(name, causes);
    }
  }

  /**
   * Returns the causes that a disturbance or a fault has, by its name in the table of coverage. A
   * name without an entry has none.
   */
  static Set<FailureCause> of(String name) {
    return TABLE.getOrDefault(name, Set.of());
  }

  /** Returns whether the table has this name. */
  static boolean isKnown(String name) {
    return TABLE.containsKey(name);
  }
}
