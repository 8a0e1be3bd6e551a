package io.dpuactors.node;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.DocaContext;
import java.util.Map;

/** Creates and configures the native context of a node, without starting it. Engine's thread. */
@FunctionalInterface
public interface ContextOpener {
  /**
   * Creates the context.
   *
   * @param userData user data of the context's state records
   * @throws DocaException if the creation fails; nothing native is left then
   */
  Opened open(EngineCore core, long userData);

  /**
   * A context that is ready to start.
   *
   * @param context idle
   * @param kinds the configured kinds and their limits
   * @param destroyed runs after the context is destroyed, to close its resources
   * @param device PCI address, for log lines and for memory of the context
   */
  record Opened(
      DocaContext context, Map<TaskKind, TaskLimits> kinds, Runnable destroyed, String device) {
    /** Creates the record of a context without further resources. */
    public Opened(DocaContext context, Map<TaskKind, TaskLimits> kinds) {
      this(context, kinds, () -> {}, "");
    }

    /** Returns this record for one device. */
    public Opened on(String pciAddress) {
      return new Opened(context, kinds, destroyed, pciAddress);
    }

    /**
     * Configures a context whose tasks have one kind. Only the peer limits their size.
     *
     * @param tasks maximum number in flight
     * @param destroyed as of the record
     * @throws DocaException if the configuration fails; the context is destroyed then
     */
    public static Opened forTasks(DocaContext fresh, TaskKind kind, int tasks, Runnable destroyed) {
      try {
        fresh.configure(kind, tasks);
      } catch (DocaException e) {
        fresh.destroy();
        throw e;
      }
      return new Opened(fresh, unlimited(kind), destroyed, "");
    }

    /** Returns limits for one kind of tasks whose size only the peer limits. */
    static Map<TaskKind, TaskLimits> unlimited(TaskKind kind) {
      return Map.of(kind, new TaskLimits(true, Long.MAX_VALUE, 1));
    }
  }
}
