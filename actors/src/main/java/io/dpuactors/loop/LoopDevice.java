package io.dpuactors.loop;

/**
 * A device that an {@link EngineLoop} drives between mailbox runs. All methods but {@link #wake()}
 * run on the loop's thread.
 */
public interface LoopDevice {
  /**
   * Begins an iteration of the loop: mailbox runs, then {@link #turn}.
   *
   * @param nowNs the loop's clock; precise enough for the whole iteration
   */
  default void begin(long nowNs) {}

  /**
   * Runs one turn: submit, progress, deliver.
   *
   * @param nowNs the loop's clock, {@link System#nanoTime()} outside of tests
   * @param pollNs how long to poll a device that has no event
   * @return number of events; 0 lets the loop become idle
   */
  int turn(long nowNs, long pollNs);

  /**
   * Returns whether the device waits for no deadline and no completion, and repeats no submission.
   * {@link #turn} would then do nothing until a {@link #wake()} or an unsolicited event. The loop
   * may sleep longer in this state.
   */
  boolean isAtRest();

  /**
   * Returns the time until the device's next deadline, nanoseconds, at most {@code mostNs}. Between
   * turns.
   */
  default long untilDueNs(long mostNs) {
    return mostNs;
  }

  /**
   * Polls for a while if configured, then sleeps. Returns when the device has an event for the
   * loop, after {@link #wake()}, or after {@code timeoutNs} without an event. Other device activity
   * does not end the wait.
   */
  void await(long timeoutNs);

  /** Ends an {@link #await}, or makes the next one return at once. Any thread. */
  void wake();
}
