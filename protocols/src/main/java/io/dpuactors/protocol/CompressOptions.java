package io.dpuactors.protocol;

import io.dpuactors.bridge.TaskKind;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * What kind of {@code CompressContext} to open. Whatever is left empty comes from the configuration
 * below {@code dpu.compress}.
 *
 * @param device PCI address, long or short form; empty: the first device that can do all {@code
 *     kinds}
 * @param kinds the kinds of tasks to configure; empty: all that the device can do
 * @param window tasks in flight at once, per kind
 * @param queue requests that may wait behind the window before {@code Busy} is answered
 * @param deadline how long a request may take, from its arrival to its answer
 * @param supervision what happens when the context fails
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

  /** Everything as configured, on the first device that fits. */
  public static CompressOptions defaults() {
    return new CompressOptions(
        Optional.empty(),
        Set.of(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The same on a certain device. */
  public CompressOptions onDevice(String pciAddress) {
    return new CompressOptions(
        Optional.of(pciAddress), kinds, window, queue, deadline, supervision);
  }

  /** The same for certain kinds of tasks only. */
  public CompressOptions withKinds(TaskKind... only) {
    return new CompressOptions(device, Set.of(only), window, queue, deadline, supervision);
  }

  /** The same with so many tasks in flight per kind. */
  public CompressOptions withWindow(int tasks) {
    return new CompressOptions(device, kinds, OptionalInt.of(tasks), queue, deadline, supervision);
  }

  /** The same with so many requests waiting at most. */
  public CompressOptions withQueue(int requests) {
    return new CompressOptions(
        device, kinds, window, OptionalInt.of(requests), deadline, supervision);
  }

  /** The same with another deadline for each request. */
  public CompressOptions withDeadline(Duration limit) {
    return new CompressOptions(device, kinds, window, queue, Optional.of(limit), supervision);
  }

  /** The same under another supervisor strategy. */
  public CompressOptions withSupervision(SupervisorStrategy strategy) {
    return new CompressOptions(device, kinds, window, queue, deadline, Optional.of(strategy));
  }
}
