package io.dpuactors.node;

import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import java.util.Map;

/** Makes the native context of a node: created, configured, not started. Engine's thread. */
@FunctionalInterface
public interface ContextOpener {
  /**
   * Creates the context.
   *
   * @param userData what the context's state records shall carry
   * @throws DocaException when it cannot be; nothing native is left behind then
   */
  Opened open(EngineCore core, long userData);

  /**
   * A context that is ready to be started.
   *
   * @param context idle
   * @param kinds what was configured, and how large a task may be
   * @param destroyed run once the context is destroyed, to close what it was made of
   */
  record Opened(DocaContext context, Map<TaskKind, TaskLimits> kinds, Runnable destroyed) {
    /** A context that was made of nothing that is its own. */
    public Opened(DocaContext context, Map<TaskKind, TaskLimits> kinds) {
      this(context, kinds, () -> {});
    }

    /**
     * Configures a context whose tasks are all of one kind, and limited by their peer alone.
     *
     * @param tasks in flight at most
     * @param destroyed as of the record
     * @throws DocaException when that cannot be; the context is destroyed then
     */
    public static Opened forTasks(DocaContext fresh, TaskKind kind, int tasks, Runnable destroyed) {
      try {
        fresh.configure(kind, tasks);
      } catch (DocaException e) {
        fresh.destroy();
        throw e;
      }
      return new Opened(fresh, unlimited(kind), destroyed);
    }

    /** Tasks of one kind, limited by their peer alone. */
    static Map<TaskKind, TaskLimits> unlimited(TaskKind kind) {
      return Map.of(kind, new TaskLimits(true, Long.MAX_VALUE, 1));
    }
  }
}
