package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;

/**
 * One DOCA context with the bridge in front: its tasks go through the submission ring, its state
 * changes and completions come through the completion ring. Thread: the engine's.
 *
 * <p>To end one: {@link #stop}, {@link ProgressEngine#enter} until its {@link ContextState#IDLE}
 * record was drained, {@link #destroy}.
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
   * Connects a new context to the engine and puts the bridge in front of it. Takes the object over:
   * it is destroyed when that fails.
   *
   * @param object what the library's task functions take
   * @param ctx the same as {@code struct doca_ctx *}
   */
  static DocaContext attach(
      ProgressEngine engine,
      String name,
      long object,
      long ctx,
      Destructor destructor,
      long userData) {
    try {
      DocaException.check(
          "doca_pe_connect_ctx", DocaCommon.doca_pe_connect_ctx(engine.pointer(), ctx), name);
      int[] handle = new int[1];
      DocaException.check(
          "dpubridge_context_attach",
          DpuBridge.dpubridge_context_attach(engine.bridge(), ctx, object, userData, handle),
          name);
      engine.census().opened(Census.Resource.CONTEXT);
      return new DocaContext(engine, name, object, ctx, handle[0], destructor);
    } catch (DocaException e) {
      Suppressed.add(e, destructor.function, destructor.call.apply(object));
      throw e;
    }
  }

  /** The engine that it belongs to. */
  ProgressEngine engine() {
    return engine;
  }

  /** The library's object, which its functions take. */
  long object(String operation) {
    checkUse(operation);
    return object;
  }

  /** What destroys its object, the same for all contexts of a kind. */
  Destructor destructor() {
    return destructor;
  }

  /** What entries and records name this context by. */
  public int handle() {
    return handle;
  }

  /** For people: "compress on 0000:03:00.0". */
  public String name() {
    return name;
  }

  /**
   * Prepares a kind of tasks; before {@link #start}.
   *
   * @param numTasks so many can be in flight at once
   * @throws DocaException NOT_SUPPORTED when device or library lack the kind
   */
  public void configure(TaskKind kind, int numTasks) {
    checkUse("configure");
    DocaException.check(
        "dpubridge_context_configure",
        DpuBridge.dpubridge_context_configure(
            engine.bridge(), handle, (short) kind.value(), numTasks),
        kind + " of " + name);
  }

  /**
   * Lets tasks of a configured kind wait in the bridge, which submits each from the callback of one
   * that has ended, instead of refusing what is more than can be in flight. A {@link TaskBatch}
   * needs room for at least one.
   *
   * @param numWaiting so many at most
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
   * Lets the bridge try tasks of a kind again that the device answers with AGAIN, and those behind
   * them in their order, before it tells; after {@link #queue}, which gives them room. For kinds
   * without batches.
   *
   * @param patienceNs for so long from the first AGAIN of an order; 0: not at all, as at first
   */
  public void patience(TaskKind kind, long patienceNs) {
    checkUse("patience");
    DocaException.check(
        "dpubridge_context_patience",
        DpuBridge.dpubridge_context_patience(
            engine.bridge(), handle, (short) kind.value(), patienceNs),
        kind + " of " + name);
  }

  /**
   * Has one task or batch back, if it waits. The rest of a batch that was begun has this as its
   * result, and its record follows when the device has done what it has.
   *
   * @param userData as it was offered
   * @param status not SUCCESS
   * @return whether it waited, and no record follows
   */
  public boolean withdraw(long userData, DocaCode status) {
    checkThread("withdraw");
    return !detached
        && DpuBridge.dpubridge_context_withdraw(engine.bridge(), handle, userData, status.value())
            != 0;
  }

  /**
   * Starts the context.
   *
   * @return SUCCESS: running; IN_PROGRESS: {@link ContextState#RUNNING} comes as a record
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
   * Stops the context; does {@link #drain} first. An idle context answers SUCCESS. What the device
   * still has is flushed: each such task gets its record.
   *
   * @return SUCCESS: idle; IN_PROGRESS: {@link ContextState#IDLE} comes as a record; AGAIN: ask
   *     again later; IN_USE: something that depends on this context is left
   */
  public DocaCode stop() {
    checkUse("stop");
    // DOCA does not say what it answers for an idle one.
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
   * Frees the tasks that are kept for re-use, and from now on each task as it ends: a context
   * becomes idle only after that. Idempotent; a context that is started again keeps tasks again.
   */
  public void drain() {
    checkUse("drain");
    DpuBridge.dpubridge_context_drain(engine.bridge(), handle);
  }

  /** Tasks that the device has at the moment. */
  public int inflight() {
    checkThread("inflight");
    return detached ? 0 : DpuBridge.dpubridge_context_inflight(engine.bridge(), handle);
  }

  /** The state that DOCA tells; its record may still wait in the ring. */
  public ContextState state() {
    checkThread("state");
    if (destroyed) {
      return ContextState.IDLE;
    }
    int[] state = new int[1];
    DocaException.check("doca_ctx_get_state", DocaCommon.doca_ctx_get_state(ctx, state), name);
    return ContextState.of(state[0]);
  }

  /**
   * Destroys an idle context. Idempotent. Entries that still name it are answered with {@link
   * RecordType#REFUSED}.
   *
   * @throws DocaException IN_USE while it is not idle or something of it is left; may be called
   *     again
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
    if (!destroyed) {
      DocaException.check(destructor.function, destructor.call.apply(object), name);
      destroyed = true;
      engine.census().closed(Census.Resource.CONTEXT);
    }
  }

  private void checkThread(String operation) {
    engine.checkThread(operation);
  }

  /** Throws on another thread than the engine's, and once this was destroyed. */
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
