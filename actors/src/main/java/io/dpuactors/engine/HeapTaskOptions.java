package io.dpuactors.engine;

import java.time.Duration;

/**
 * Options of {@link HeapTasks}.
 *
 * @param inFlight number of tasks at the same time; each uses one source and one destination buffer
 * @param maxInputBytes largest input
 * @param maxOutputBytes largest output
 * @param maxWaiting number of further tasks that may wait; beyond it a task fails with FULL
 * @param deadline time from the call to the result, including the wait
 * @param busyDelay pause before a task is sent again that the context refused with Busy; it doubles
 *     with each refusal up to 100 ms
 */
public record HeapTaskOptions(
    int inFlight,
    int maxInputBytes,
    int maxOutputBytes,
    int maxWaiting,
    Duration deadline,
    Duration busyDelay) {
  private static final int DEFAULT_IN_FLIGHT = 4;
  private static final int DEFAULT_WAITING = 1024;
  private static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);
  private static final Duration DEFAULT_BUSY_DELAY = Duration.ofMillis(1);

  /** Checks the ranges. */
  public HeapTaskOptions {
    requirePositive("inFlight", inFlight);
    requirePositive("maxInputBytes", maxInputBytes);
    requirePositive("maxOutputBytes", maxOutputBytes);
    requirePositive("deadline", deadline.toNanos());
    requirePositive("busyDelay", busyDelay.toNanos());
    if (maxWaiting < 0) {
      throw new IllegalArgumentException("maxWaiting must not be negative");
    }
  }

  /** Returns options with 4 tasks in flight, 1,024 waiting tasks and a deadline of 30 s. */
  public static HeapTaskOptions of(int maxInputBytes, int maxOutputBytes) {
    return new HeapTaskOptions(
        DEFAULT_IN_FLIGHT,
        maxInputBytes,
        maxOutputBytes,
        DEFAULT_WAITING,
        DEFAULT_DEADLINE,
        DEFAULT_BUSY_DELAY);
  }

  /** Returns these options with another number of tasks at the same time. */
  public HeapTaskOptions withInFlight(int tasks) {
    return new HeapTaskOptions(
        tasks, maxInputBytes, maxOutputBytes, maxWaiting, deadline, busyDelay);
  }

  /** Returns these options with another number of waiting tasks. */
  public HeapTaskOptions withMaxWaiting(int tasks) {
    return new HeapTaskOptions(inFlight, maxInputBytes, maxOutputBytes, tasks, deadline, busyDelay);
  }

  /** Returns these options with another deadline. */
  public HeapTaskOptions withDeadline(Duration limit) {
    return new HeapTaskOptions(
        inFlight, maxInputBytes, maxOutputBytes, maxWaiting, limit, busyDelay);
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be greater than zero");
    }
  }
}
