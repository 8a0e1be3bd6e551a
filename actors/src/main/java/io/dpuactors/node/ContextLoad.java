package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import java.util.Map;

/**
 * The load of a native context: requests or connections. The load opens when the context runs.
 * Engine's thread.
 */
public interface ContextLoad extends NodeLoad {
  /**
   * Reserves resources for the tasks of a context that is created and not started.
   *
   * @param name of the context, for the error
   * @param configured the kinds of its tasks
   * @throws io.dpuactors.bridge.DocaException NO_MEMORY, naming the exhausted resource
   */
  default void reserve(String name, Map<TaskKind, TaskLimits> configured) {}

  /** Frees the resources of {@link #reserve}, because the context is destroyed. */
  default void destroyed() {}

  /** Opens the load of a running context with these kinds of tasks. */
  void open(DocaContext running, Map<TaskKind, TaskLimits> configured);

  /**
   * Returns the code for a context that has stopped by itself.
   *
   * @param hasRun whether it was ever {@code RUNNING}
   */
  default DocaCode endCode(boolean hasRun) {
    return DocaCode.UNEXPECTED;
  }

  /**
   * Returns the code for a context that failed to start.
   *
   * @param failed the context, which is idle again
   */
  default DocaCode startCode(DocaContext failed) {
    return endCode(false);
  }

  /** Handles an event of the communication channel that carries this context's user data. */
  default void onEvent(CompletionRing record) {
    throw new IllegalStateException("a context without connections got " + record.type());
  }
}
