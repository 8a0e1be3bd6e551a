package io.dpuactors.protocol.comch;

import io.dpuactors.bridge.BufferPool;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What kind of producer or consumer to open. Whatever is left empty comes from the configuration
 * below {@code dpu.comch.producer} or {@code dpu.comch.consumer}.
 *
 * @param memory consumers only: the pool whose buffers are posted, opened with permission {@code
 *     PCI_READ_WRITE}
 * @param window tasks in flight at once
 * @param queue requests that may wait behind the window before {@code Busy} is answered
 * @param deadline producers only: how long a request may take, from its arrival to its answer
 */
public record DataOptions(
    Optional<BufferPool> memory,
    OptionalInt window,
    OptionalInt queue,
    Optional<Duration> deadline) {

  /** For a producer; everything as configured. */
  public static DataOptions defaults() {
    return new DataOptions(
        Optional.empty(), OptionalInt.empty(), OptionalInt.empty(), Optional.empty());
  }

  /** For a consumer whose buffers come from this pool. */
  public static DataOptions into(BufferPool memory) {
    return new DataOptions(
        Optional.of(memory), OptionalInt.empty(), OptionalInt.empty(), Optional.empty());
  }

  /** The same with so many tasks in flight. */
  public DataOptions withWindow(int tasks) {
    return new DataOptions(memory, OptionalInt.of(tasks), queue, deadline);
  }

  /** The same with so many requests waiting at most. */
  public DataOptions withQueue(int requests) {
    return new DataOptions(memory, window, OptionalInt.of(requests), deadline);
  }

  /** The same with another deadline for each request. */
  public DataOptions withDeadline(Duration limit) {
    return new DataOptions(memory, window, queue, Optional.of(limit));
  }
}
