package io.dpuactors.bridge.internal;

/** Counters of the bridge since its creation; mirrors {@code enum dpubridge_counter}. */
public enum Counter {
  /** Tasks that {@code doca_task_submit} accepted. */
  SUBMITTED(0),
  /** Task callbacks seen, of success and of error. */
  COMPLETED(1),
  /** Entries answered with {@link RecordType#REFUSED}. */
  REFUSED(2),
  /** Calls of {@code doca_pe_progress} with at least one event. */
  PROGRESSED(3),
  /** Callbacks on other threads than the engine's. */
  FOREIGN(4),
  /** Number of sleeps of the engine. */
  WAITS(5),
  /** Turns: calls of {@link ProgressEngine#enter}. */
  ENTERS(6),
  /** Turns that ended early: no room for records, or no free cell for a message. */
  STALLED(7);

  private final int value;

  Counter(int value) {
    this.value = value;
  }

  /** Returns the index of the counter. */
  int value() {
    return value;
  }
}
