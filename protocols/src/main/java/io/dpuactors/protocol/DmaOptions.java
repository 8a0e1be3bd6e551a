package io.dpuactors.protocol;

import io.dpuactors.bridge.TaskKind;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * What kind of {@code DmaContext} to open. Whatever is left empty comes from the configuration
 * below {@code dpu.dma}.
 *
 * @param device PCI address, long or short form; empty: the first device that copies
 * @param window tasks in flight at once
 * @param queue requests that may wait behind the window before {@code Busy} is answered
 * @param deadline how long a request may take, from its arrival to its answer
 * @param supervision what happens when the context fails
 */
public record DmaOptions(
    Optional<String> device,
    OptionalInt window,
    OptionalInt queue,
    Optional<Duration> deadline,
    Optional<SupervisorStrategy> supervision)
    implements ContextOptions {

  /** Everything as configured, on the first device that copies. */
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

  /** The same on a certain device. */
  public DmaOptions onDevice(String pciAddress) {
    return new DmaOptions(Optional.of(pciAddress), window, queue, deadline, supervision);
  }

  /** The same with so many tasks in flight. */
  public DmaOptions withWindow(int tasks) {
    return new DmaOptions(device, OptionalInt.of(tasks), queue, deadline, supervision);
  }

  /** The same with so many requests waiting at most. */
  public DmaOptions withQueue(int requests) {
    return new DmaOptions(device, window, OptionalInt.of(requests), deadline, supervision);
  }

  /** The same with another deadline for each request. */
  public DmaOptions withDeadline(Duration limit) {
    return new DmaOptions(device, window, queue, Optional.of(limit), supervision);
  }

  /** The same under another supervisor strategy. */
  public DmaOptions withSupervision(SupervisorStrategy strategy) {
    return new DmaOptions(device, window, queue, deadline, Optional.of(strategy));
  }
}
