package io.dpuactors.bridge;

/** What the bridge counts from its creation on; mirrors {@code enum dpubridge_counter}. */
public enum Counter {
  /** Tasks that {@code doca_task_submit} accepted. */
  SUBMITTED(0),
  /** Task callbacks seen, of success and of error. */
  COMPLETED(1),
  /** Entries answered with {@link RecordType#REFUSED}. */
  REFUSED(2),
  /** Calls of {@code doca_pe_progress} in which something happened. */
  PROGRESSED(3),
  /** Callbacks that arrived on a thread of the device's own. */
  FOREIGN(4),
  /** Times that the engine slept. */
  WAITS(5),
  /** Turns: calls of {@link ProgressEngine#enter}. */
  ENTERS(6),
  /** Turns that ended early because the completion ring was full. */
  STALLED(7);

  private final int value;

  Counter(int value) {
    this.value = value;
  }

  /** Its place among the counters. */
  int value() {
    return value;
  }
}
