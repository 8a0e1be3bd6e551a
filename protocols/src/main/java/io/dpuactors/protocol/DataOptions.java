package io.dpuactors.protocol;

import io.dpuactors.bridge.BufferPool;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Options of a producer or consumer. The configuration below {@code dpu.comch.producer} or {@code
 * dpu.comch.consumer} replaces empty values.
 *
 * @param memory consumers only: the pool of the posted buffers, opened with permission {@code
 *     PCI_READ_WRITE}
 * @param window number of tasks in flight
 * @param queue number of requests that may wait behind the window; beyond it the answer is {@code
 *     Busy}
 * @param deadline producers only: time from the arrival of a request to its answer
 */
public record DataOptions(
    Optional<BufferPool> memory,
    OptionalInt window,
    OptionalInt queue,
    Optional<Duration> deadline) {

  /** Returns options of a producer with configured values. */
  public static DataOptions defaults() {
    return new DataOptions(
        Optional.empty(), OptionalInt.empty(), OptionalInt.empty(), Optional.empty());
  }

  /** Returns options of a consumer whose buffers belong to this pool. */
  public static DataOptions into(BufferPool memory) {
    return new DataOptions(
        Optional.of(memory), OptionalInt.empty(), OptionalInt.empty(), Optional.empty());
  }

  /** Returns these options with another number of tasks in flight. */
  public DataOptions withWindow(int tasks) {
    return new DataOptions(memory, OptionalInt.of(tasks), queue, deadline);
  }

  /** Returns these options with another bound of the queue. */
  public DataOptions withQueue(int requests) {
    return new DataOptions(memory, window, OptionalInt.of(requests), deadline);
  }

  /** Returns these options with another deadline per request. */
  public DataOptions withDeadline(Duration limit) {
    return new DataOptions(memory, window, queue, Optional.of(limit));
  }
}
