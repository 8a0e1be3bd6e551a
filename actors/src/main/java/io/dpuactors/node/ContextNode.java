package io.dpuactors.node;

import io.dpuactors.bridge.ContextState;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native half of a context. It belongs to the engine, not to the actor, so that an actor that
 * fails loses nothing: the node goes on until DOCA has let go of everything, and only then makes
 * room for a successor of the same name.
 *
 * <pre>
 *   OPENING ------> STARTING ------> RUNNING ------> DRAINING ------> STOPPING ------> GONE
 *   (predecessor    (doca_ctx_start) (RUNNING event) (retire: tasks   (doca_ctx_stop)  (destroyed)
 *    gone, back-off                                   come back)            |
 *    over)                                                                  '-- deadline --> LOST (stays in the census)
 * </pre>
 *
 * <p>States are read from DOCA once per turn as well as taken from events, so that a lost event
 * delays and never hangs. Engine's thread.
 */
public final class ContextNode {
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
  private final String name;
  private final long id;
  private final TaskLane lane;
  private final ContextTimes times;
  private final ContextOpener opener;
  private @Nullable ContextOwner owner;
  private ContextOpener.@Nullable Opened opened;
  private Phase phase = Phase.OPENING;
  private long deadlineNs;
  private DocaCode lastStop = DocaCode.SUCCESS;

  ContextNode(
      EngineCore core,
      String name,
      long id,
      LaneSettings laneSettings,
      ContextTimes times,
      ContextOpener opener,
      ContextOwner owner,
      long notBeforeNs) {
    this.core = core;
    this.name = name;
    this.id = id;
    this.lane = new TaskLane(core, name, laneSettings);
    this.times = times;
    this.opener = opener;
    this.owner = owner;
    this.deadlineNs = notBeforeNs;
  }

  String name() {
    return name;
  }

  long id() {
    return id;
  }

  /** Where the context's requests go. */
  public TaskLane lane() {
    return lane;
  }

  boolean isGone() {
    return phase == Phase.GONE;
  }

  /** Whether a successor of the same name has to wait. */
  boolean occupies() {
    return phase != Phase.GONE && phase != Phase.LOST && phase != Phase.OPENING;
  }

  /**
   * Stop: tasks in flight may finish within the drain deadline, then the context is stopped and
   * destroyed. The owner hears {@link ContextOwner#gone()}. Idempotent.
   */
  public void retire() {
    retire(shutdownError(), times.drainNs());
  }

  /**
   * The actor is no more: stop at once and tell nobody; whoever waits for an answer gets it from
   * the lane.
   */
  public void abandon() {
    owner = null;
    retire(
        DocaError.of("context actor", DocaCode.SHUTDOWN.value(), name + " failed or was stopped"),
        0);
  }

  private void retire(DocaError reason, long drainNs) {
    switch (phase) {
      case OPENING -> {
        lane.close(reason);
        vanish();
      }
      case STARTING, RUNNING -> {
        lane.close(reason);
        enter(Phase.DRAINING, drainNs);
      }
      case DRAINING -> deadlineNs = Math.min(deadlineNs, core.nowNs() + drainNs);
      default -> {}
    }
  }

  /** A state event from DOCA. */
  void onState(ContextState next) {
    boolean expected = phase != Phase.RUNNING && phase != Phase.STARTING;
    if (!expected && (next == ContextState.STOPPING || next == ContextState.IDLE)) {
      broken("the context stopped by itself (it was " + phase + ", now " + next + ")");
    }
  }

  /** One turn of the loop; returns whether the node moved on. */
  boolean turn(long nowNs) {
    Phase before = phase;
    try {
      switch (phase) {
        case OPENING -> open(nowNs);
        case STARTING -> awaitRunning(nowNs);
        case DRAINING -> drain(nowNs);
        case STOPPING, LOST -> awaitIdle(nowNs);
        default -> {}
      }
    } catch (DocaException e) {
      failed(e.error());
    }
    lane.turn(nowNs);
    return phase != before;
  }

  private void open(long nowNs) {
    if (nowNs - deadlineNs < 0 || core.isOccupied(name)) {
      return;
    }
    ContextOpener.Opened fresh = opener.open(core, id);
    opened = fresh;
    enter(Phase.STARTING, times.startNs());
    fresh.context().start();
    awaitRunning(nowNs);
  }

  private void awaitRunning(long nowNs) {
    ContextOpener.Opened fresh = requireOpened();
    ContextState state = fresh.context().state();
    if (state == ContextState.RUNNING) {
      enter(Phase.RUNNING, 0);
      lane.open(fresh.context(), fresh.kinds());
      tell(ContextOwner::running);
    } else if (state == ContextState.IDLE) {
      broken("the context went back to IDLE instead of RUNNING");
    } else if (nowNs - deadlineNs >= 0) {
      throw new DocaException(
          DocaError.of(
              "doca_ctx_start",
              DocaCode.TIME_OUT.value(),
              name + " did not run within " + times.startNs() / 1_000_000 + " ms"));
    }
  }

  private void drain(long nowNs) {
    if (lane.inFlight() == 0 || nowNs - deadlineNs >= 0) {
      stop();
      awaitIdle(nowNs);
    }
  }

  private void stop() {
    DocaContext context = requireOpened().context();
    enter(Phase.STOPPING, times.stopNs());
    context.drain();
    lastStop = context.stop();
  }

  private void awaitIdle(long nowNs) {
    DocaContext context = requireOpened().context();
    if (lane.inFlight() == 0 && context.state() == ContextState.IDLE) {
      context.destroy();
      vanish();
    } else if (lastStop == DocaCode.AGAIN || lastStop == DocaCode.IN_USE) {
      lastStop = context.stop();
    } else if (phase == Phase.STOPPING && nowNs - deadlineNs >= 0) {
      giveUp(context);
    }
  }

  private void giveUp(DocaContext context) {
    LOG.error(
        "{} is still {} with {} tasks in flight {} ms after doca_ctx_stop: given up, it stays in the census",
        name,
        context.state(),
        lane.inFlight(),
        times.stopNs() / 1_000_000);
    enter(Phase.LOST, 0);
    core.tasks().expireAll(lane);
    tell(ContextOwner::gone);
  }

  /**
   * DOCA has taken the context down, or never brought it up: tell the actor and reap what is left.
   * The actor first, so that what somebody sends in answer to a refusal finds its successor.
   */
  private void broken(String what) {
    DocaError error = DocaError.of("doca_ctx", DocaCode.UNEXPECTED.value(), name + ": " + what);
    tell(listener -> listener.failed(error));
    lane.close(error);
    stop();
  }

  private void failed(DocaError error) {
    lane.close(error);
    switch (phase) {
      case OPENING -> {
        tell(listener -> listener.failed(error));
        vanish();
      }
      case STARTING -> {
        tell(listener -> listener.failed(error));
        enter(Phase.DRAINING, 0);
      }
      case LOST -> LOG.debug("{}: {} while it was already given up", name, error);
      default -> {
        LOG.error("{}: {} while it was {}", name, error, phase);
        giveUp(requireOpened().context());
      }
    }
  }

  private void vanish() {
    phase = Phase.GONE;
    tell(ContextOwner::gone);
  }

  private void enter(Phase next, long allowedNs) {
    LOG.debug("{}: {} -> {}", name, phase, next);
    phase = next;
    deadlineNs = core.nowNs() + allowedNs;
  }

  private void tell(Consumer<ContextOwner> event) {
    if (owner != null) {
      event.accept(owner);
    }
  }

  private ContextOpener.Opened requireOpened() {
    if (opened == null) {
      throw new IllegalStateException(name + " has no native context in phase " + phase);
    }
    return opened;
  }

  private DocaError shutdownError() {
    return DocaError.of("context", DocaCode.SHUTDOWN.value(), name + " is stopping");
  }

  @Override
  public String toString() {
    return name + " (" + phase + ", " + lane.inFlight() + " in flight)";
  }
}
