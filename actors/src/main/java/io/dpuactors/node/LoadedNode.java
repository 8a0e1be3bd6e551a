package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node with a load, from its opening to its end: see {@link Phase}.
 *
 * @param <L> the load
 */
public abstract class LoadedNode<L extends NodeLoad> extends Node {
  private static final Logger LOG = LoggerFactory.getLogger(LoadedNode.class);

  /** Notifies the owner. */
  final OwnerNotifier owner = new OwnerNotifier();

  /** Limits of the phases. */
  final ContextTimes times;

  private final String type;
  private final L load;
  private Phase phase;
  private long deadlineNs;

  /**
   * Creates a node.
   *
   * @param type for errors, such as "context"
   * @param first phase in which the node begins
   */
  LoadedNode(
      EngineCore core, String name, long id, String type, L load, ContextTimes times, Phase first) {
    super(core, name, id);
    this.type = type;
    this.load = load;
    this.times = times;
    this.phase = first;
  }

  /** Returns the last part of the name, such as "connection-1". */
  public final String label() {
    return name().substring(name().lastIndexOf('/') + 1);
  }

  /** Returns the load of this node. */
  public final L load() {
    return load;
  }

  final Phase phase() {
    return phase;
  }

  /** Returns whether the node has not begun to end. */
  final boolean isUp() {
    return phase == Phase.STARTING || phase == Phase.RUNNING;
  }

  @Override
  final boolean isGone() {
    return phase == Phase.GONE;
  }

  @Override
  final boolean hasEnded() {
    return phase == Phase.GONE || phase == Phase.LOST;
  }

  /** Opens the native object; called in each turn of OPENING. */
  void open(long nowNs) {}

  /** Returns whether STARTING needs many turns; false: an event or the deadline ends it. */
  boolean isPolled() {
    return true;
  }

  /** Enters RUNNING if the native object runs; called in each turn of STARTING. */
  void awaitRunning(long nowNs) {}

  /** Asks the native object to end, at the beginning of STOPPING. */
  void beginStop() {}

  /**
   * Calls {@link #finish} if the native object has ended; called in each turn of STOPPING, LOST.
   */
  abstract void awaitEnd(long nowNs);

  /** Handles the end of this node: it is LOST or GONE. */
  void ended() {}

  /**
   * Stops the node. Tasks in flight may finish within the drain deadline. The owner then receives
   * {@link ContextOwner#gone()}. Idempotent.
   */
  public final void stop() {
    stop(stopping(), times.drainNs());
  }

  /** {@inheritDoc} The load answers all pending requests. */
  @Override
  public final void close() {
    owner.close();
    DocaError reason = error(" actor", "failed or was stopped");
    stop(reason, 0);
    load.stopping(reason);
  }

  @Override
  final void failRequests(DocaError reason) {
    load.close(reason);
    load.stopping(reason);
    load.expireAll();
  }

  private DocaError stopping() {
    return error("", "is stopping");
  }

  private DocaError error(String part, String why) {
    return DocaError.of(type + part, DocaCode.SHUTDOWN, name() + " " + why);
  }

  /**
   * Stops the node.
   *
   * @param reason error for the requests that do not complete
   * @param drainNs time limit for tasks in flight
   */
  final void stop(DocaError reason, long drainNs) {
    switch (phase) {
      case OPENING -> {
        load.close(reason);
        finish(Phase.GONE);
      }
      case STARTING, RUNNING -> {
        enter(Phase.DRAINING, drainNs);
        load.close(reason);
      }
      case DRAINING -> {
        load.dropUnread();
        limitDrain(drainNs);
      }
      default -> {}
    }
  }

  /** Limits the remaining time of DRAINING. */
  final void limitDrain(long drainNs) {
    schedule();
    deadlineNs = Math.min(deadlineNs, core.nowNs() + drainNs);
  }

  @Override
  final boolean step(long nowNs, NextTurn next) {
    Phase before = phase;
    switch (phase) {
      case OPENING -> open(nowNs);
      case STARTING -> awaitRunning(nowNs);
      case DRAINING -> drain(nowNs);
      case STOPPING, LOST -> awaitEnd(nowNs);
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
        if (isLate(nowNs)) {
          next.inEach();
        } else {
          next.at(deadlineNs);
        }
      }
      case STARTING -> {
        if (isPolled() || isLate(nowNs)) {
          next.inEach();
        } else {
          next.at(deadlineNs);
        }
      }
      case DRAINING, STOPPING -> next.inEach();
      case LOST -> next.at(nowNs + core.recheckNs());
      default -> {}
    }
  }

  private void drain(long nowNs) {
    boolean late = isLate(nowNs);
    if (late || load.isRead()) {
      owner.reportFailure();
    }
    boolean isDone = load.inFlight() == 0 && load.isSent() && load.isRead();
    if (load.mayStop() && (late || isDone)) {
      load.dropUnread();
      load.stopping(stopping());
      enter(Phase.STOPPING, times.stopNs());
      beginStop();
      awaitEnd(nowNs);
    }
  }

  /**
   * Fails the node and drains its load. The owner is notified first, or when all received data has
   * been taken. A request that the owner's actor sends in response then reaches its successor.
   */
  public void broken(DocaError error) {
    if (!isUp()) {
      return;
    }
    owner.broken(error);
    if (load.isRead()) {
      owner.reportFailure();
    }
    // Changes the phase first: even if the load throws, a failed node is not RUNNING.
    enter(Phase.DRAINING, times.drainNs());
    load.fail(error);
  }

  @Override
  final void failed(DocaError error) {
    switch (phase) {
      case OPENING -> {
        owner.failed(error);
        finish(Phase.GONE);
        load.fail(error);
      }
      case STARTING -> {
        owner.failed(error);
        enter(Phase.DRAINING, 0);
        load.fail(error);
      }
      case RUNNING -> broken(error);
      case DRAINING -> {
        log(LOG).error("{}: {} while it was {}", name(), error, phase);
        enter(Phase.STOPPING, times.stopNs());
        try {
          load.stopping(error);
        } finally {
          beginStop();
        }
      }
      case STOPPING -> {
        log(LOG).error("{}: {} while it was {}", name(), error, phase);
        lose();
      }
      default -> log(LOG).debug("{}: {} while it was {}", name(), error, phase);
    }
  }

  /** Marks the native object as lost. Answers all requests and notifies the owner. */
  final void lose() {
    try {
      load.expireAll();
    } finally {
      finish(Phase.LOST);
    }
  }

  /** Ends the node: it is LOST or GONE. Notifies the owner. */
  final void finish(Phase end) {
    enter(end, 0);
    vacate();
    ended();
    owner.reportFailure();
    owner.gone();
  }

  final void enter(Phase next, long allowedNs) {
    log(LOG).debug("{}: {} -> {}", name(), phase, next);
    phase = next;
    deadlineNs = core.nowNs() + allowedNs;
    schedule();
  }

  /** Sets the deadline of the current phase. */
  final void setDeadline(long atNs) {
    deadlineNs = atNs;
  }

  /** Returns whether the deadline of the current phase has passed. */
  final boolean isLate(long nowNs) {
    return nowNs - deadlineNs >= 0;
  }

  @Override
  public final String toString() {
    return name() + " (" + phase + ", " + load.inFlight() + " in flight)";
  }
}
