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
 * The native half of a context. It belongs to the engine, not to the actor, so that a failure of
 * the actor loses nothing. The node runs until DOCA has released everything. Only then can a
 * successor of the same name open.
 *
 * <pre>
 *   OPENING ------> STARTING ------> RUNNING ------> DRAINING ------> STOPPING ------> GONE
 *   (predecessor    (doca_ctx_start) (RUNNING event) (stop: tasks     (doca_ctx_stop)  (destroyed)
 *    gone, back-off                                   complete,             |
 *    over)                                            children end)         '-- deadline --> LOST (stays in the census)
 * </pre>
 *
 * <p>The node reads states from DOCA once per turn in addition to events. A lost event therefore
 * causes a delay, not a hang. Engine's thread.
 *
 * @param <L> load of the context
 */
public final class ContextNode<L extends ContextLoad> extends Node {
  private static final Logger LOG = LoggerFactory.getLogger(ContextNode.class);

  private enum Phase {
    OPENING,
    STARTING,
    RUNNING,
    DRAINING,
    STOPPING,
    LOST,
    GONE
  }

  private final EngineCore core;
  private final L load;
  private final ContextTimes times;
  private final NativeContext doca;
  private final OwnerNotifier notifier;
  private Phase phase = Phase.OPENING;
  private long deadlineNs;

  ContextNode(
      EngineCore core,
      String name,
      long id,
      L load,
      ContextTimes times,
      ContextOpener opener,
      ContextOwner owner,
      long notBeforeNs) {
    super(core, name, id);
    this.core = core;
    this.load = load;
    this.times = times;
    this.doca = new NativeContext(name, opener);
    this.notifier = new OwnerNotifier(owner);
    this.deadlineNs = notBeforeNs;
    load.belongTo(this);
  }

  /** Returns the load, which accepts the context's requests. */
  public L load() {
    return load;
  }

  @Override
  boolean isGone() {
    return phase == Phase.GONE;
  }

  @Override
  boolean hasEnded() {
    return phase == Phase.GONE || phase == Phase.LOST;
  }

  /** Returns the native context, or null before it is open. */
  public @Nullable DocaContext context() {
    return doca.context();
  }

  /**
   * Stops and destroys the context. Tasks in flight may finish within the drain deadline. The owner
   * then receives {@link ContextOwner#gone()}. Idempotent.
   */
  public void stop() {
    stop(shutdownError(), times.drainNs());
  }

  /** Stops the context without waiting for tasks in flight. Their requesters receive the reason. */
  void stopNow(DocaError reason) {
    stop(reason, 0);
  }

  /**
   * Stops at once without notifying the owner, because the actor has ended. The load answers all
   * pending requests.
   */
  @Override
  public void close() {
    notifier.close();
    stop(
        DocaError.of("context actor", DocaCode.SHUTDOWN.value(), name() + " failed or was stopped"),
        0);
  }

  @Override
  void failRequests(DocaError reason) {
    load.close(reason);
    load.cut(reason);
    load.expireAll();
  }

  private void stop(DocaError reason, long drainNs) {
    switch (phase) {
      case OPENING -> {
        load.close(reason);
        vanish();
      }
      case STARTING, RUNNING -> {
        enter(Phase.DRAINING, drainNs);
        load.close(reason);
      }
      case DRAINING -> {
        load.dropUnread();
        schedule();
        deadlineNs = Math.min(deadlineNs, core.nowNs() + drainNs);
      }
      default -> {}
    }
  }

  /** Handles a state event from DOCA. */
  void onState(ContextState next) {
    schedule();
    boolean expected = phase != Phase.RUNNING && phase != Phase.STARTING;
    if (!expected && (next == ContextState.STOPPING || next == ContextState.IDLE)) {
      broken(
          "the context stopped by itself (it was " + phase + ", now " + next + ")",
          phase == Phase.RUNNING);
    }
  }

  /** Handles an event of the communication channel. */
  void onEvent(CompletionRing record) {
    load.onEvent(record);
  }

  @Override
  boolean step(long nowNs, NextTurn next) {
    Phase before = phase;
    switch (phase) {
      case OPENING -> open(nowNs);
      case STARTING -> awaitRunning(nowNs);
      case DRAINING -> drain(nowNs);
      case STOPPING, LOST -> awaitIdle(nowNs);
      default -> {}
    }
    load.turn(nowNs, next);
    plan(nowNs, next);
    return phase != before;
  }

  /**
   * Plans the next turn. The node polls states in each turn, so that a lost event cannot hang a
   * start or a stop.
   */
  private void plan(long nowNs, NextTurn next) {
    switch (phase) {
      case OPENING -> {
        if (nowNs - deadlineNs < 0) {
          next.at(deadlineNs);
        } else {
          next.inEach();
        }
      }
      case STARTING, DRAINING, STOPPING -> next.inEach();
      case LOST -> next.at(nowNs + core.recheckNs());
      default -> {}
    }
  }

  private void open(long nowNs) {
    if (nowNs - deadlineNs < 0 || core.isOccupied(name())) {
      return;
    }
    doca.open(core, id());
    occupy();
    enter(Phase.STARTING, times.startNs());
    load.reserve(name(), doca.opened().kinds());
    doca.start();
    awaitRunning(nowNs);
  }

  private void awaitRunning(long nowNs) {
    ContextState state = doca.state();
    if (state == ContextState.RUNNING) {
      enter(Phase.RUNNING, 0);
      load.open(doca.opened().context(), doca.opened().kinds());
      notifier.running();
    } else if (state == ContextState.IDLE) {
      broken("the context returned to IDLE instead of RUNNING", false);
    } else if (nowNs - deadlineNs >= 0) {
      throw new DocaException(
          DocaError.of(
              "doca_ctx_start",
              DocaCode.TIME_OUT.value(),
              name() + " did not run within " + times.startNs() / 1_000_000 + " ms"));
    }
  }

  private void drain(long nowNs) {
    boolean late = nowNs - deadlineNs >= 0;
    if (late || load.isRead()) {
      notifier.reportFailure();
    }
    boolean isDone = load.inFlight() == 0 && load.isSent() && load.isRead();
    if (load.mayStop() && (late || isDone)) {
      load.cut(shutdownError());
      enter(Phase.STOPPING, times.stopNs());
      doca.stop();
      awaitIdle(nowNs);
    }
  }

  private void awaitIdle(long nowNs) {
    if (load.inFlight() == 0 && doca.state() == ContextState.IDLE) {
      doca.destroy();
      load.destroyed();
      vanish();
      return;
    }
    doca.stopAgain();
    if (phase == Phase.STOPPING && nowNs - deadlineNs >= 0) {
      giveUp();
    }
  }

  private void giveUp() {
    LOG.error(
        "{} is still {} with {} tasks in flight {} ms after doca_ctx_stop: given up; the"
            + " context stays in the census",
        name(),
        doca.state(),
        load.inFlight(),
        times.stopNs() / 1_000_000);
    enter(Phase.LOST, 0);
    vacate();
    try {
      load.expireAll();
    } finally {
      notifier.gone();
    }
  }

  /** Fails a context that DOCA has stopped or has failed to start. */
  private void broken(String what, boolean hasRun) {
    DocaContext context = doca.context();
    DocaCode code = hasRun || context == null ? load.endCode(hasRun) : load.startCode(context);
    broken(DocaError.of("doca_ctx", code.value(), name() + ": " + what));
  }

  /**
   * Fails the context: notifies the actor and drains the load. The actor is notified first, so that
   * a request sent in response to a refusal reaches its successor.
   */
  public void broken(DocaError error) {
    if (phase != Phase.STARTING && phase != Phase.RUNNING) {
      return;
    }
    notifier.broken(error);
    if (load.isRead()) {
      notifier.reportFailure();
    }
    // Changes the phase first: even if the load throws, a failed context is not RUNNING.
    enter(Phase.DRAINING, times.drainNs());
    load.fail(error);
    if (load.isRead() && load.mayStop()) {
      deadlineNs = core.nowNs();
    }
  }

  @Override
  void failed(DocaError error) {
    switch (phase) {
      case OPENING -> {
        notifier.failed(error);
        vanish();
        load.fail(error);
      }
      case STARTING -> {
        notifier.failed(error);
        enter(Phase.DRAINING, 0);
        load.fail(error);
      }
      case RUNNING -> broken(error);
      case DRAINING, STOPPING -> {
        LOG.error("{}: {} while it was {}", name(), error, phase);
        endAtOnce(error);
      }
      default -> LOG.debug("{}: {} while it was {}", name(), error, phase);
    }
  }

  /** Ends a context that failed while it was draining or stopping. */
  private void endAtOnce(DocaError error) {
    if (phase == Phase.STOPPING) {
      giveUp();
      return;
    }
    enter(Phase.STOPPING, times.stopNs());
    try {
      load.cut(error);
    } finally {
      doca.stop();
    }
  }

  private void vanish() {
    LOG.debug("{}: {} -> {}", name(), phase, Phase.GONE);
    phase = Phase.GONE;
    vacate();
    schedule();
    notifier.gone();
  }

  private void enter(Phase next, long allowedNs) {
    LOG.debug("{}: {} -> {}", name(), phase, next);
    phase = next;
    deadlineNs = core.nowNs() + allowedNs;
    schedule();
  }

  private DocaError shutdownError() {
    return DocaError.of("context", DocaCode.SHUTDOWN.value(), name() + " is stopping");
  }

  @Override
  public String toString() {
    return name() + " (" + phase + ", " + load.inFlight() + " in flight)";
  }
}
