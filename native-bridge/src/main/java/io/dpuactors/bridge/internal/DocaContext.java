package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;
import java.util.EnumMap;
import java.util.Map;

/**
 * One DOCA context with the bridge in front: its tasks pass the submission ring, its state changes
 * and completions pass the completion ring. Thread: the engine's.
 *
 * <p>End of a context: {@link #stop}, then {@link ProgressEngine#enter} until its {@link
 * ContextState#IDLE} record is drained, then {@link #destroy}.
 */
public final class DocaContext {
  /** The library function that destroys the object, and its name for errors. */
  record Destructor(String function, ToCode call) {
    /** A DOCA function from an object to its {@code doca_error_t}. */
    @FunctionalInterface
    interface ToCode {
      int apply(long object);
    }
  }

  private final ProgressEngine engine;
  private final String name;
  private final long object;
  private final long ctx;
  private final int handle;
  private final Destructor destructor;
  private final ContextHandles handles = new ContextHandles(this);
  private final Map<TaskKind, Integer> tasks = new EnumMap<>(TaskKind.class);
  private boolean detached;
  private boolean destroyed;

  private DocaContext(
      ProgressEngine engine,
      String name,
      long object,
      long ctx,
      int handle,
      Destructor destructor) {
    this.engine = engine;
    this.name = name;
    this.object = object;
    this.ctx = ctx;
    this.handle = handle;
    this.destructor = destructor;
  }

  /**
   * Connects a new context to the engine and the bridge. Owns the object from now on: a failure
   * destroys it.
   *
   * @param object first argument of the library's task functions
   * @param ctx the same object as {@code struct doca_ctx *}
   * @throws IllegalStateException if the engine is closed
   */
  static DocaContext attach(
      ProgressEngine engine,
      String name,
      long object,
      long ctx,
      Destructor destructor,
      long userData) {
    try {
      engine.checkUse("attach " + name);
      DocaException.check(
          "doca_pe_connect_ctx", DocaCommon.doca_pe_connect_ctx(engine.pointer(), ctx), name);
      int[] handle = new int[1];
      DocaException.check(
          "dpubridge_context_attach",
          DpuBridge.dpubridge_context_attach(engine.bridge(), ctx, object, userData, handle),
          name);
      engine.census().opened(Census.Resource.CONTEXT);
      return new DocaContext(engine, name, object, ctx, handle[0], destructor);
    } catch (DocaException | IllegalStateException e) {
      Suppressed.add(e, destructor.function, destructor.call.apply(object));
      throw e;
    }
  }

  /** Returns the engine of this context. */
  ProgressEngine engine() {
    return engine;
  }

  /** Returns the library's object. */
  long object(String operation) {
    checkUse(operation);
    return object;
  }

  /** Returns the function that destroys the object. All contexts of a kind share it. */
  Destructor destructor() {
    return destructor;
  }

  /** Returns the handle that entries and records contain. */
  public int handle() {
    return handle;
  }

  /** Returns a name for messages: "compress on 0000:03:00.0". */
  public String name() {
    return name;
  }

  /**
   * Configures a kind of tasks; before {@link #start}.
   *
   * @param numTasks number of tasks in flight
   * @throws DocaException NOT_SUPPORTED if device or library do not support the kind
   */
  public void configure(TaskKind kind, int numTasks) {
    checkUse("configure");
    DocaException.check(
        "dpubridge_context_configure",
        DpuBridge.dpubridge_context_configure(
            engine.bridge(), handle, (short) kind.value(), numTasks),
        kind + " of " + name);
    tasks.put(kind, numTasks);
  }

  /**
   * Configures a queue of a configured kind in the bridge, which submits each waiting task from the
   * callback of a completed one. Without a queue the bridge refuses tasks beyond the tasks in
   * flight. Tasks that DOCA refuses with AGAIN always wait: the bridge submits them again.
   *
   * @param numWaiting largest number of waiting tasks and batches
   */
  public void queue(TaskKind kind, int numWaiting) {
    checkUse("queue");
    DocaException.check(
        "dpubridge_context_queue",
        DpuBridge.dpubridge_context_queue(
            engine.bridge(), handle, (short) kind.value(), numWaiting),
        kind + " of " + name);
  }

  /**
   * Cancels one waiting task or batch. The remaining tasks of a started batch get this status as
   * their result; its record follows after its tasks in flight.
   *
   * @param userData the user data of the task
   * @param status not SUCCESS
   * @return whether the task was waiting, and no record follows
   */
  public boolean withdraw(long userData, DocaCode status) {
    checkThread("withdraw");
    return !detached
        && DpuBridge.dpubridge_context_withdraw(engine.bridge(), handle, userData, status.value())
            != 0;
  }

  /**
   * Takes back one task or batch that waits behind another task of its ordering key.
   *
   * @param userData the user data of the task
   * @return whether the task was waiting, and no record follows
   */
  public boolean reclaim(long userData) {
    checkThread("reclaim");
    return !detached && DpuBridge.dpubridge_context_reclaim(engine.bridge(), handle, userData) != 0;
  }

  /**
   * Starts the context.
   *
   * @return SUCCESS: running; IN_PROGRESS: a {@link ContextState#RUNNING} record follows
   */
  public DocaCode start() {
    checkUse("start");
    int raw = DocaCommon.doca_ctx_start(ctx);
    DocaCode code = DocaCode.of(raw);
    return switch (code) {
      case SUCCESS, IN_PROGRESS -> code;
      default -> throw new DocaException(DocaError.of("doca_ctx_start", raw, name));
    };
  }

  /**
   * Stops the context, after {@link #drain}. Returns SUCCESS for an idle context. The device
   * flushes its tasks: each such task gets its record.
   *
   * @return SUCCESS: idle; IN_PROGRESS: a {@link ContextState#IDLE} record follows; AGAIN: try
   *     again later; IN_USE: a dependent object exists
   */
  public DocaCode stop() {
    checkUse("stop");
    // The reference does not define the answer for an idle context.
    if (state() == ContextState.IDLE) {
      return DocaCode.SUCCESS;
    }
    DpuBridge.dpubridge_context_drain(engine.bridge(), handle);
    int raw = DocaCommon.doca_ctx_stop(ctx);
    DocaCode code = DocaCode.of(raw);
    return switch (code) {
      case SUCCESS, IN_PROGRESS, AGAIN, IN_USE -> code;
      default -> throw new DocaException(DocaError.of("doca_ctx_stop", raw, name));
    };
  }

  /**
   * Frees the tasks kept for reuse, and from now on each task at its completion. A context becomes
   * idle only after that. Idempotent; a restarted context keeps tasks again.
   */
  public void drain() {
    checkUse("drain");
    DpuBridge.dpubridge_context_drain(engine.bridge(), handle);
  }

  /** Returns the number of tasks that the device holds. */
  public int inflight() {
    checkThread("inflight");
    return detached ? 0 : DpuBridge.dpubridge_context_inflight(engine.bridge(), handle);
  }

  /** Returns DOCA's state of the context. The record of that state may still wait in the ring. */
  public ContextState state() {
    checkThread("state");
    if (destroyed) {
      return ContextState.IDLE;
    }
    int[] state = new int[1];
    DocaException.check("doca_ctx_get_state", DocaCommon.doca_ctx_get_state(ctx, state), name);
    return ContextState.of(state[0]);
  }

  /** Returns the objects that tasks use. The objects end at the latest with this context. */
  public ContextHandles handles() {
    return handles;
  }

  /** Returns the number of tasks in flight of a kind; 0 if it is not configured. */
  int numTasks(TaskKind kind) {
    return tasks.getOrDefault(kind, 0);
  }

  /**
   * Destroys an idle context and the objects that its tasks used. Idempotent. The bridge answers
   * entries of a destroyed context with {@link RecordType#REFUSED}.
   *
   * @throws DocaException IN_USE while it is not idle or a dependent object exists; the caller may
   *     try again
   */
  public void destroy() {
    checkThread("destroy");
    if (!detached) {
      DocaException.check(
          "dpubridge_context_detach",
          DpuBridge.dpubridge_context_detach(engine.bridge(), handle),
          name);
      detached = true;
    }
    handles.destroyAll();
    if (!destroyed) {
      DocaException.check(destructor.function, destructor.call.apply(object), name);
      destroyed = true;
      engine.census().closed(Census.Resource.CONTEXT);
    }
  }

  private void checkThread(String operation) {
    engine.checkThread(operation);
  }

  /** Checks the thread, and that the context is not destroyed. */
  void checkUse(String operation) {
    engine.checkUse(operation);
    if (detached) {
      throw new IllegalStateException(operation + ": " + name + " was destroyed");
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
