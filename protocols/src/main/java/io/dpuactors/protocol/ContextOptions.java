package io.dpuactors.protocol;

import io.dpuactors.bridge.TaskKind;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * What can be said of every context that takes tasks. Whatever is left empty comes from the
 * configuration of its library.
 */
public sealed interface ContextOptions permits CompressOptions, DmaOptions {
  /** PCI address, long or short form; empty: the first device that can do all {@link #kinds}. */
  Optional<String> device();

  /** The kinds of tasks to configure; empty: all that the device can do. */
  Set<TaskKind> kinds();

  /** Tasks in flight at once, per kind. */
  OptionalInt window();

  /** Requests that may wait behind the window before {@code Busy} is answered. */
  OptionalInt queue();

  /** How long a request may take, from its arrival to its answer. */
  Optional<Duration> deadline();

  /** What happens when the context fails. */
  Optional<SupervisorStrategy> supervision();
}
