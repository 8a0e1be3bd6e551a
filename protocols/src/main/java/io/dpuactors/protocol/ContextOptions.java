package io.dpuactors.protocol;

import io.dpuactors.bridge.TaskKind;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/** Options that all task contexts share. The configuration of the library replaces empty values. */
public sealed interface ContextOptions permits CompressOptions, DmaOptions {
  /** PCI address, long or short form; empty: the first device that supports all {@link #kinds}. */
  Optional<String> device();

  /** Kinds of tasks to configure; empty: all kinds that the device supports. */
  Set<TaskKind> kinds();

  /** Number of tasks in flight per kind. */
  OptionalInt window();

  /** Number of requests that may wait behind the window; beyond it the answer is {@code Busy}. */
  OptionalInt queue();

  /** Time from the arrival of a request to its answer. */
  Optional<Duration> deadline();

  /** Strategy for a failure of the context. */
  Optional<SupervisorStrategy> supervision();
}
