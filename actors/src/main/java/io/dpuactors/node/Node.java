package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.loop.ActorMoment;
import io.dpuactors.loop.EngineLog;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A native object with a lifecycle. The engine runs its turns until it is gone. An exception fails
 * only the node that threw it. Engine's thread.
 */
abstract class Node {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /** Whether the node is listed for the next turn; see {@link Agenda}. */
  boolean isListed;

  /** Index in the {@link DeadlineHeap}; negative if absent. */
  int heapIndex = -1;

  /** Time of the next turn, while the node is in the heap. */
  long dueNs;

  final EngineCore core;
  private final String name;
  private final long id;
  private boolean occupies;

  Node(EngineCore core, String name, long id) {
    this.core = core;
    this.name = name;
    this.id = id;
  }

  /** Schedules a turn, because the state of the node has changed. */
  final void schedule() {
    core.nodes().agenda().schedule(this);
  }

  /** Occupies the name: a successor of the same name must wait. */
  final void occupy() {
    occupies = true;
    core.nodes().occupy(name);
  }

  /** Releases the name for a successor. */
  final void vacate() {
    if (occupies) {
      occupies = false;
      core.nodes().vacate(name);
    }
  }

  /** Returns the name, unique among the live nodes of an engine. */
  final String name() {
    return name;
  }

  /** Returns the PCI address of the node's device; empty before it is open. */
  String device() {
    return "";
  }

  /** Returns a log with the names of the engine and the node, and the address of the device. */
  public final EngineLog log(Supplier<Logger> logger) {
    return core.log(logger).context(name).device(device());
  }

  /** Passes a moment in the life of the node's actor. */
  public final void pass(ActorMoment moment) {
    core.moments().pass(moment);
  }

  final EngineLog log(Logger logger) {
    return log(() -> logger);
  }

  /** Returns the id, which is never reused; it is the user data of the node's records. */
  final long id() {
    return id;
  }

  /**
   * Runs one turn of the loop. Returns whether the node changed state.
   *
   * @param next receives the time of the node's next turn
   */
  final boolean turn(long nowNs, NextTurn next) {
    boolean hadEnded = hasEnded();
    try {
      return step(nowNs, next);
    } catch (RuntimeException e) {
      fail(e);
      if (hadEnded) {
        // An abandoned node stays as it is. Attempts in each turn would keep the thread busy.
        next.at(nowNs + core.recheckNs());
        return false;
      }
      next.inEach();
      return true;
    }
  }

  /** Does the work of {@link #turn}. An exception fails the node. */
  abstract boolean step(long nowNs, NextTurn next);

  /** Handles an exception of work that the node did for the engine. */
  final void fail(RuntimeException cause) {
    boolean isKnown = cause instanceof DocaException;
    if (!isKnown && !hasEnded()) {
      log(LOG).error("{} fails: {}", this, cause, cause);
    }
    DocaError error =
        isKnown
            ? ((DocaException) cause).error()
            : DocaError.of("turn", DocaCode.UNEXPECTED, name + ": " + cause);
    if (!hasEnded()) {
      schedule();
    }
    try {
      failed(error);
    } catch (RuntimeException e) {
      log(LOG).error("{}: {} while it failed with {}", this, e, error, e);
    }
  }

  /**
   * Handles a failure. The node must advance by at least one phase towards its end, which bounds
   * the number of failures.
   */
  abstract void failed(DocaError error);

  /**
   * Reads the state of the native context from DOCA, because a task was refused or has failed: the
   * event of the context's stop may be lost. Throws nothing.
   */
  void look() {}

  /** Returns whether nothing native is left. */
  abstract boolean isGone();

  /**
   * Returns whether the node no longer prevents the stop of its parent: it is gone or abandoned.
   */
  abstract boolean hasEnded();

  /** Answers all pending requests, because no turn will follow. */
  abstract void failRequests(DocaError reason);

  /** Ends the node at once without notifying the owner, because the actor has ended. */
  public abstract void close();
}
