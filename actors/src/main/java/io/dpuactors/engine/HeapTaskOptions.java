package io.dpuactors.engine;

import io.dpuactors.protocol.BufferOptions;
import java.time.Duration;

/**
 * Options of {@link HeapTasks}.
 *
 * @param inFlight number of tasks at the same time; each uses one source and one destination buffer
 * @param maxInputBytes largest input
 * @param maxOutputBytes largest output
 * @param maxWaiting number of further tasks that may wait; beyond it a task fails with FULL
 * @param deadline time from the call to the result, including the wait. No duration of these
 *     options is longer than 24 days: a longer one becomes 24 days, which each tick of Pekko's
 *     scheduler allows
 * @param busyDelay pause before a task is sent again that the context refused with {@code Busy}; it
 *     doubles with each refusal. Zero: such a task fails with FULL
 * @param maxBusyDelay longest pause
 * @param hugePages whether to try huge pages for the buffers, as {@link
 *     io.dpuactors.bridge.MemoryOptions} does
 */
public record HeapTaskOptions(
    int inFlight,
    int maxInputBytes,
    int maxOutputBytes,
    int maxWaiting,
    Duration deadline,
    Duration busyDelay,
    Duration maxBusyDelay,
    boolean hugePages) {
  /** The scheduler accepts at most 2^31 ticks, and the shortest tick has 1 ms. */
  private static final Duration LONGEST = Duration.ofDays(24);

  private static final int DEFAULT_IN_FLIGHT = 4;
  private static final int DEFAULT_WAITING = 1024;
  private static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);
  private static final Duration DEFAULT_BUSY_DELAY = Duration.ofMillis(1);
  private static final Duration DEFAULT_MAX_BUSY_DELAY = Duration.ofMillis(100);

  /** Checks the ranges, and limits the durations. */
  public HeapTaskOptions {
    deadline = atMostLongest(deadline);
    busyDelay = atMostLongest(busyDelay);
    maxBusyDelay = atMostLongest(maxBusyDelay);
    requirePositive("inFlight", inFlight);
    requirePositive("maxInputBytes", maxInputBytes);
    requirePositive("maxOutputBytes", maxOutputBytes);
    requirePositive("deadline", deadline.compareTo(Duration.ZERO));
    requireNotNegative("maxWaiting", maxWaiting);
    requireNotNegative("busyDelay", busyDelay.compareTo(Duration.ZERO));
    if (maxBusyDelay.compareTo(busyDelay) < 0) {
      throw new IllegalArgumentException("maxBusyDelay must not be shorter than busyDelay");
    }
  }

  /**
   * Returns options with 4 tasks in flight, 1,024 waiting tasks, and a deadline of 30 s. After
   * Busy, a task waits 1 ms to 100 ms. The buffers have ordinary pages.
   */
  public static HeapTaskOptions of(int maxInputBytes, int maxOutputBytes) {
    return new HeapTaskOptions(
        DEFAULT_IN_FLIGHT,
        maxInputBytes,
        maxOutputBytes,
        DEFAULT_WAITING,
        DEFAULT_DEADLINE,
        DEFAULT_BUSY_DELAY,
        DEFAULT_MAX_BUSY_DELAY,
        false);
  }

  /** Returns these options with another number of tasks at the same time. */
  public HeapTaskOptions withInFlight(int tasks) {
    return new HeapTaskOptions(
        tasks,
        maxInputBytes,
        maxOutputBytes,
        maxWaiting,
        deadline,
        busyDelay,
        maxBusyDelay,
        hugePages);
  }

  /** Returns these options with another number of waiting tasks. */
  public HeapTaskOptions withMaxWaiting(int tasks) {
    return new HeapTaskOptions(
        inFlight,
        maxInputBytes,
        maxOutputBytes,
        tasks,
        deadline,
        busyDelay,
        maxBusyDelay,
        hugePages);
  }

  /** Returns these options with another deadline. */
  public HeapTaskOptions withDeadline(Duration limit) {
    return new HeapTaskOptions(
        inFlight,
        maxInputBytes,
        maxOutputBytes,
        maxWaiting,
        limit,
        busyDelay,
        maxBusyDelay,
        hugePages);
  }

  /**
   * Returns these options with other pauses before a task is sent again that the context refused
   * with {@code Busy}.
   *
   * @param first the first pause; each further one is twice as long
   * @param max the longest pause
   */
  public HeapTaskOptions withBusyRetry(Duration first, Duration max) {
    return new HeapTaskOptions(
        inFlight, maxInputBytes, maxOutputBytes, maxWaiting, deadline, first, max, hugePages);
  }

  /** Returns these options without retries: a task that the context refuses fails with FULL. */
  public HeapTaskOptions withoutBusyRetry() {
    return withBusyRetry(Duration.ZERO, Duration.ZERO);
  }

  /** Returns these options with huge pages for the buffers, if available. */
  public HeapTaskOptions withHugePages() {
    return new HeapTaskOptions(
        inFlight,
        maxInputBytes,
        maxOutputBytes,
        maxWaiting,
        deadline,
        busyDelay,
        maxBusyDelay,
        true);
  }

  BufferOptions buffers() {
    return new BufferOptions(inFlight, maxInputBytes, maxOutputBytes, maxWaiting, hugePages);
  }

  private static Duration atMostLongest(Duration duration) {
    return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
  }

  private static void requireNotNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must not be negative");
    }
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be greater than zero");
    }
  }
}
