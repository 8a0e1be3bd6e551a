package io.dpuactors.protocol;

import io.dpuactors.bridge.TaskKind;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * Options of a context of tasks. The configuration of its library, such as {@code dpu.compress},
 * replaces empty values.
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
public record TaskOptions(
    Optional<String> device,
    Set<TaskKind> kinds,
    OptionalInt window,
    OptionalInt queue,
    Optional<Duration> deadline,
    Optional<SupervisorStrategy> supervision) {

  /** Copies the set. */
  public TaskOptions {
    kinds = Set.copyOf(kinds);
  }

  /** Returns options with configured values, on the first suitable device. */
  public static TaskOptions defaults() {
    return new TaskOptions(
        Optional.empty(),
        Set.of(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns these options for one device. */
  public TaskOptions onDevice(String pciAddress) {
    return new TaskOptions(Optional.of(pciAddress), kinds, window, queue, deadline, supervision);
  }

  /** Returns these options for some kinds of tasks only. */
  public TaskOptions withKinds(TaskKind... only) {
    return new TaskOptions(device, Set.of(only), window, queue, deadline, supervision);
  }

  /** Returns these options with another number of tasks in flight per kind. */
  public TaskOptions withWindow(int tasks) {
    return new TaskOptions(device, kinds, OptionalInt.of(tasks), queue, deadline, supervision);
  }

  /** Returns these options with another bound of the queue. */
  public TaskOptions withQueue(int requests) {
    return new TaskOptions(device, kinds, window, OptionalInt.of(requests), deadline, supervision);
  }

  /** Returns these options with another deadline per request. */
  public TaskOptions withDeadline(Duration limit) {
    return new TaskOptions(device, kinds, window, queue, Optional.of(limit), supervision);
  }

  /**
   * Returns these options with another supervisor strategy: {@code stop}, {@code restart} or {@code
   * restartWithBackoff}. During a back-off, requests wait in the queue until their deadlines; the
   * random factor has no effect. The engine refuses {@code resume} with {@code OpenFailed}.
   */
  public TaskOptions withSupervision(SupervisorStrategy strategy) {
    return new TaskOptions(device, kinds, window, queue, deadline, Optional.of(strategy));
  }
}
