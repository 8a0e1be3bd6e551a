package io.dpuactors.streams;

import io.dpuactors.engine.HeapTaskOptions;
import java.time.Duration;

/**
 * Options of a flow of tasks.
 *
 * @param maxElementBytes largest element in bytes, before compression or encryption; a longer one
 *     fails the stream with {@code DOCA_ERROR_INVALID_VALUE}
 * @param parallelism number of elements in flight. Equal to the window of the context, it keeps the
 *     device busy; each uses one source and one destination buffer
 * @param ordered whether results keep the order of the elements; otherwise a result is emitted as
 *     soon as it exists
 * @param deadline time from the begin of a task to its result, with all retries; at most 24 days,
 *     as in {@link HeapTaskOptions}
 * @param busyDelay pause before a task is sent again that the context refused with {@code Busy}; it
 *     doubles with each refusal
 * @param maxBusyDelay longest pause
 * @param hugePages whether to try huge pages for the buffers: reserved ones, else transparent ones,
 *     else ordinary ones
 */
public record StreamOptions(
    int maxElementBytes,
    int parallelism,
    boolean ordered,
    Duration deadline,
    Duration busyDelay,
    Duration maxBusyDelay,
    boolean hugePages) {
  private static final HeapTaskOptions DEFAULTS = HeapTaskOptions.of(1, 1);

  /** Checks the ranges, and limits the deadline. */
  public StreamOptions {
    if (maxElementBytes < 1 || parallelism < 1) {
      throw new IllegalArgumentException(
          "maxElementBytes is %d, parallelism is %d; both must be greater than zero"
              .formatted(maxElementBytes, parallelism));
    }
    if (busyDelay.isZero() || busyDelay.isNegative()) {
      throw new IllegalArgumentException("busyDelay must be greater than zero");
    }
    deadline = DEFAULTS.withDeadline(deadline).deadline(); // limited to what the scheduler accepts
  }

  /**
   * Returns options with 4 elements in flight, ordered results, a deadline of 30 s, and pauses of 1
   * ms to 100 ms after Busy. The buffers have ordinary pages.
   */
  public static StreamOptions of(int maxElementBytes) {
    return new StreamOptions(
        maxElementBytes,
        DEFAULTS.inFlight(),
        true,
        DEFAULTS.deadline(),
        DEFAULTS.busyDelay(),
        DEFAULTS.maxBusyDelay(),
        DEFAULTS.hugePages());
  }

  /** Returns these options with another number of elements in flight. */
  public StreamOptions withParallelism(int elements) {
    return new StreamOptions(
        maxElementBytes, elements, ordered, deadline, busyDelay, maxBusyDelay, hugePages);
  }

  /** Returns these options with results in the order of completion. */
  public StreamOptions unordered() {
    return new StreamOptions(
        maxElementBytes, parallelism, false, deadline, busyDelay, maxBusyDelay, hugePages);
  }

  /** Returns these options with another deadline per task. */
  public StreamOptions withDeadline(Duration limit) {
    return new StreamOptions(
        maxElementBytes, parallelism, ordered, limit, busyDelay, maxBusyDelay, hugePages);
  }

  /**
   * Returns these options with other pauses after {@code Busy}.
   *
   * @param first the first pause; each further one is twice as long
   * @param max the longest pause
   */
  public StreamOptions withBusyRetry(Duration first, Duration max) {
    return new StreamOptions(
        maxElementBytes, parallelism, ordered, deadline, first, max, hugePages);
  }

  /**
   * Returns these options with huge pages for the buffers, if available. They reduce the device's
   * address translations of elements of about 1 MiB or more.
   */
  public StreamOptions withHugePages() {
    return new StreamOptions(
        maxElementBytes, parallelism, ordered, deadline, busyDelay, maxBusyDelay, true);
  }

  HeapTaskOptions tasks(int maxInputBytes, int maxOutputBytes) {
    return new HeapTaskOptions(
        parallelism,
        maxInputBytes,
        maxOutputBytes,
        parallelism,
        deadline,
        busyDelay,
        maxBusyDelay,
        hugePages);
  }
}
