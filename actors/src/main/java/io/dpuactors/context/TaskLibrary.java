package io.dpuactors.context;

import io.dpuactors.bridge.Device;
import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.ProgressEngine;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What tells the contexts of one DOCA library from those of another; their life is the same, see
 * {@link TaskContext}. Stateless.
 *
 * @param <Q> the message that asks what the device can do
 */
interface TaskLibrary<Q> {
  /** For errors: {@code doca_compress}. */
  String name();

  /** Path of the contexts' configuration. */
  String configPath();

  /** What its devices do, in words, for errors. */
  String purpose();

  /** Every kind of task that it has. */
  Set<TaskKind> kinds();

  /** What a device can do with one kind of task. */
  TaskLimits limits(Device device, TaskKind kind);

  /** Most tasks of one context, over all kinds. */
  int maxTasks(Device device);

  /** Creates an idle context whose state records carry {@code userData}. */
  DocaContext create(ProgressEngine engine, Device device, long userData);

  /** The message that stops a context. */
  Object stop();

  /** The class of messages that ask what the device can do. */
  Class<Q> query();

  /** Answers such a question; there is no device when none fits. */
  void answer(Q query, @Nullable Device device);
}
