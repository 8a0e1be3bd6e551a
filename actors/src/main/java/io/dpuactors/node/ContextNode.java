package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.ContextState;
import io.dpuactors.bridge.internal.DocaContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native half of a context. The native half belongs to the engine, not to the actor, so that a
 * failure of the actor loses nothing. The node runs until DOCA has released everything. Only then
 * can a successor of the same name open.
 *
 * <pre>
 *   OPENING    until the predecessor is gone and the back-off is over
 *   STARTING   doca_ctx_start was called
 *   RUNNING    after DOCA's RUNNING event
 *   STOPPING   doca_ctx_stop was called
 *   GONE       destroyed, after DOCA's IDLE event
 * </pre>
 *
 * <p>During a start and a stop, the node reads states from DOCA once per turn in addition to
 * events. A running context reads its state if DOCA refuses a task, and without connections also
 * after a failed task. A lost event therefore causes a delay, not a hang. Without such a task, a
 * running context depends on its event. Engine's thread.
 *
 * @param <L> load of the context
 */
public final class ContextNode<L extends ContextLoad> extends LoadedNode<L> {
  private static final Logger LOG = LoggerFactory.getLogger(ContextNode.class);

  private final NativeContext doca;

  ContextNode(
      EngineCore core,
      String name,
      long id,
      L load,
      ContextTimes times,
      ContextOpener opener,
      ContextOwner owner,
      long notBeforeNs) {
    super(core, name, id, "context", load, times, Phase.OPENING);
    this.doca = new NativeContext(name, opener);
    this.owner.own(owner);
    setDeadline(notBeforeNs);
    load.belongTo(this);
  }

  @Override
  public String device() {
    return doca.device();
  }

  /** Returns the native context, or null before it is open. */
  public @Nullable DocaContext context() {
    return doca.context();
  }

  /** Returns the native context while it runs, else null. */
  public @Nullable DocaContext running() {
    return phase() == Phase.RUNNING ? doca.context() : null;
  }

  /** Handles a state event from DOCA. */
  void onState(ContextState next) {
    schedule();
    if (isUp() && (next == ContextState.STOPPING || next == ContextState.IDLE)) {
      broken(
          "the context stopped by itself (it was " + phase() + ", now " + next + ")",
          phase() == Phase.RUNNING);
    }
  }

  @Override
  void look() {
    if (phase() == Phase.RUNNING) {
      try {
        onState(doca.state());
      } catch (RuntimeException e) {
        fail(e);
      }
    }
  }

  /** Handles an event of the communication channel. */
  void onEvent(CompletionRing record) {
    load().onEvent(record);
  }

  @Override
  void open(long nowNs) {
    if (!isLate(nowNs) || core.nodes().isOccupied(name())) {
      return;
    }
    doca.open(core, id());
    occupy();
    enter(Phase.STARTING, times.startNs());
    load().reserve(name(), doca.opened().kinds());
    doca.start();
    awaitRunning(nowNs);
  }

  @Override
  void awaitRunning(long nowNs) {
    ContextState state = doca.state();
    if (state == ContextState.RUNNING) {
      enter(Phase.RUNNING, 0);
      load().open(doca.opened().context(), doca.opened().kinds());
      owner.running();
    } else if (state == ContextState.IDLE) {
      broken("the context returned to IDLE instead of RUNNING", false);
    } else if (isLate(nowNs)) {
      throw new DocaException(
          "doca_ctx_start",
          DocaCode.TIME_OUT,
          name() + " did not run within " + times.startNs() / 1_000_000 + " ms");
    }
  }

  @Override
  void beginStop() {
    doca.stop();
  }

  @Override
  void awaitEnd(long nowNs) {
    if (load().inFlight() == 0 && doca.state() == ContextState.IDLE) {
      doca.destroy();
      load().destroyed();
      finish(Phase.GONE);
      return;
    }
    doca.stopAgain();
    if (phase() == Phase.STOPPING && isLate(nowNs)) {
      log(LOG)
          .error(
              "{} is still {} with {} tasks in flight {} ms after doca_ctx_stop: abandoned; the"
                  + " context stays in the census",
              name(),
              doca.state(),
              load().inFlight(),
              times.stopNs() / 1_000_000);
      lose();
    }
  }

  /** Fails a context that DOCA has stopped or has failed to start. */
  private void broken(String what, boolean hasRun) {
    DocaContext context = doca.context();
    DocaCode code = hasRun || context == null ? load().endCode(hasRun) : load().startCode(context);
    broken(DocaError.of("doca_ctx", code, name() + ": " + what));
  }

  /** {@inheritDoc} A failed context is stopped at once if nothing depends on it. */
  @Override
  public void broken(DocaError error) {
    if (isUp()) {
      super.broken(error);
      if (load().isRead() && load().mayStop()) {
        limitDrain(0);
      }
    }
  }
}
