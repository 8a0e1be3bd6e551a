package io.dpuactors.bridge;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Capabilities of a device in one {@link TaskLibrary}.
 *
 * @param limits limits of each supported kind of tasks
 * @param maxTasks largest number of tasks of one context, over all kinds; 0 without support
 */
public record TaskCapabilities(Map<TaskKind, TaskLimits> limits, int maxTasks) {
  /** A device without support, or libraries without this one. */
  public static final TaskCapabilities NONE = new TaskCapabilities(Map.of(), 0);

  /** Copies the supported kinds. */
  public TaskCapabilities {
    Map<TaskKind, TaskLimits> supported = new EnumMap<>(TaskKind.class);
    limits.forEach(
        (kind, limit) -> {
          if (limit.supported()) {
            supported.put(kind, limit);
          }
        });
    limits = Collections.unmodifiableMap(supported);
  }

  /** Returns the limits of one kind; {@link TaskLimits#NONE} if it is not supported. */
  public TaskLimits of(TaskKind kind) {
    return limits.getOrDefault(kind, TaskLimits.NONE);
  }

  /** Returns whether any kind is supported. */
  public boolean any() {
    return !limits.isEmpty();
  }
}
