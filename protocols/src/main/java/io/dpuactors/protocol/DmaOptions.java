package io.dpuactors.protocol;

import io.dpuactors.bridge.TaskKind;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * Options of a {@code DmaContext}. The configuration below {@code dpu.dma} replaces empty values.
 *
 * @param device PCI address, long or short form; empty: the first device that supports copies
 * @param window number of tasks in flight
 * @param queue number of requests that may wait behind the window; beyond it the answer is {@code
 *     Busy}
 * @param deadline time from the arrival of a request to its answer
 * @param supervision strategy for a failure of the context
 */
public record DmaOptions(
    Optional<String> device,
    OptionalInt window,
    OptionalInt queue,
    Optional<Duration> deadline,
    Optional<SupervisorStrategy> supervision)
    implements ContextOptions {

  /** Returns options with configured values, on the first suitable device. */
  public static DmaOptions defaults() {
    return new DmaOptions(
        Optional.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Override
  public Set<TaskKind> kinds() {
    return Set.of(TaskKind.DMA_MEMCPY);
  }

  /** Returns these options for one device. */
  public DmaOptions onDevice(String pciAddress) {
    return new DmaOptions(Optional.of(pciAddress), window, queue, deadline, supervision);
  }

  /** Returns these options with another number of tasks in flight. */
  public DmaOptions withWindow(int tasks) {
    return new DmaOptions(device, OptionalInt.of(tasks), queue, deadline, supervision);
  }

  /** Returns these options with another bound of the queue. */
  public DmaOptions withQueue(int requests) {
    return new DmaOptions(device, window, OptionalInt.of(requests), deadline, supervision);
  }

  /** Returns these options with another deadline per request. */
  public DmaOptions withDeadline(Duration limit) {
    return new DmaOptions(device, window, queue, Optional.of(limit), supervision);
  }

  /**
   * Returns these options with another supervisor strategy: {@code stop}, {@code restart} or {@code
   * restartWithBackoff}. The engine refuses {@code resume} with {@code OpenFailed}.
   */
  public DmaOptions withSupervision(SupervisorStrategy strategy) {
    return new DmaOptions(device, window, queue, deadline, Optional.of(strategy));
  }
}
