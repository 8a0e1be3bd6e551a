package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limits of a running context, and the errors for requests that exceed them. */
final class ContextLimits {
  private final String context;
  private Map<TaskKind, TaskLimits> limits = new EnumMap<>(TaskKind.class);

  ContextLimits(String context) {
    this.context = context;
  }

  /** Returns the name of the context, for errors. */
  String context() {
    return context;
  }

  void set(Map<TaskKind, TaskLimits> configured) {
    limits = configured;
  }

  /** Returns the limits of a kind, or null if the kind is not configured. */
  @Nullable TaskLimits of(TaskKind kind) {
    return limits.get(kind);
  }

  DocaError notConfigured(TaskKind kind) {
    return DocaError.of(
        "doca_task_submit",
        DocaCode.NOT_SUPPORTED.value(),
        kind + " is not configured on " + context);
  }

  /** Returns the reason why a request cannot take a buffer. */
  static String notTaken(Buffer buffer) {
    Object taker = buffer.taker();
    return taker == null
        ? buffer + " was already returned to its pool"
        : "%s is in use: an earlier request of %s has it".formatted(buffer, taker);
  }

  static DocaError invalid(String about, String why) {
    return DocaError.of("doca_task_submit", DocaCode.INVALID_VALUE.value(), about + ": " + why);
  }
}
