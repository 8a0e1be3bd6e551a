package io.dpuactors.protocol;

import io.dpuactors.bridge.TaskKind;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * Options of a {@code CompressContext}. The configuration below {@code dpu.compress} replaces empty
 * values.
 *
 * @param device PCI address, long or short form; empty: the first device that supports all {@code
 *     kinds}
 * @param kinds kinds of tasks to configure; empty: all kinds that the device supports
 * @param window number of tasks in flight per kind
 * @param queue number of requests that may wait behind the window; beyond it the answer is {@code
 *     Busy}
 * @param deadline time from the arrival of a request to its answer
 * @param supervision strategy for a failure of the context
 */
public record CompressOptions(
    Optional<String> device,
    Set<TaskKind> kinds,
    OptionalInt window,
    OptionalInt queue,
    Optional<Duration> deadline,
    Optional<SupervisorStrategy> supervision)
    implements ContextOptions {

  /** Copies the set. */
  public CompressOptions {
    kinds = Set.copyOf(kinds);
  }

  /** Returns options with configured values, on the first suitable device. */
  public static CompressOptions defaults() {
    return new CompressOptions(
        Optional.empty(),
        Set.of(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns these options for one device. */
  public CompressOptions onDevice(String pciAddress) {
    return new CompressOptions(
        Optional.of(pciAddress), kinds, window, queue, deadline, supervision);
  }

  /** Returns these options for some kinds of tasks only. */
  public CompressOptions withKinds(TaskKind... only) {
    return new CompressOptions(device, Set.of(only), window, queue, deadline, supervision);
  }

  /** Returns these options with another number of tasks in flight per kind. */
  public CompressOptions withWindow(int tasks) {
    return new CompressOptions(device, kinds, OptionalInt.of(tasks), queue, deadline, supervision);
  }

  /** Returns these options with another bound of the queue. */
  public CompressOptions withQueue(int requests) {
    return new CompressOptions(
        device, kinds, window, OptionalInt.of(requests), deadline, supervision);
  }

  /** Returns these options with another deadline per request. */
  public CompressOptions withDeadline(Duration limit) {
    return new CompressOptions(device, kinds, window, queue, Optional.of(limit), supervision);
  }

  /**
   * Returns these options with another supervisor strategy: {@code stop}, {@code restart} or {@code
   * restartWithBackoff}. The engine refuses {@code resume} with {@code OpenFailed}.
   */
  public CompressOptions withSupervision(SupervisorStrategy strategy) {
    return new CompressOptions(device, kinds, window, queue, deadline, Optional.of(strategy));
  }
}
