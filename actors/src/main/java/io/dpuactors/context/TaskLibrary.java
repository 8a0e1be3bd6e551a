package io.dpuactors.context;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.ProgressEngine;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Describes one DOCA library. All libraries share the lifecycle in {@link TaskContext}. Stateless.
 *
 * @param <Q> message that asks for the capabilities of the device
 */
interface TaskLibrary<Q> {
  /** Returns the library name for errors, such as {@code doca_compress}. */
  String name();

  /** Returns the configuration path of the library's contexts. */
  String configPath();

  /** Returns the purpose of the library's devices in words, for errors. */
  String purpose();

  /** Returns all task kinds of the library. */
  Set<TaskKind> kinds();

  /** Returns the limits of a device for one task kind. */
  TaskLimits limits(Device device, TaskKind kind);

  /** Returns the maximum number of tasks of one context, over all kinds. */
  int maxTasks(Device device);

  /** Creates an idle context whose state records carry {@code userData}. */
  DocaContext create(ProgressEngine engine, Device device, long userData);

  /** Returns the message that stops a context. */
  Object stop();

  /** Returns the class of the capability query. */
  Class<Q> query();

  /** Answers a capability query. The device is null if no device fits. */
  void answer(Q query, @Nullable Device device);
}
