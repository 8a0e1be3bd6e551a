package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A native thing with a life of its own, which the engine turns until it is gone. An exception
 * fails the node that threw it, and no other. Engine's thread.
 */
public abstract class Node {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /** Whether its turn is next; see {@link Agenda}. */
  boolean isListed;

  /** Where it is in the {@link DeadlineHeap}; below 0: nowhere. */
  int heapIndex = -1;

  /** When it is there: the time of its turn. */
  long dueNs;

  private final EngineCore core;
  private final String name;
  private final long id;
  private boolean occupies;

  Node(EngineCore core, String name, long id) {
    this.core = core;
    this.name = name;
    this.id = id;
  }

  /** Something has changed that its next turn has to deal with. */
  final void schedule() {
    core.agenda().schedule(this);
  }

  /** A successor of the same name has to wait from now on. */
  final void occupy() {
    occupies = true;
    core.occupy(name);
  }

  /** A successor of the same name need not wait for it any longer. */
  final void vacate() {
    if (occupies) {
      occupies = false;
      core.vacate(name);
    }
  }

  /** Unique among the nodes of an engine that are in use. */
  final String name() {
    return name;
  }

  /** Unique for ever; the user data of the node's records. */
  final long id() {
    return id;
  }

  /**
   * One turn of the loop; returns whether the node moved on.
   *
   * @param next gets when the node needs another turn
   */
  final boolean turn(long nowNs, NextTurn next) {
    try {
      return step(nowNs, next);
    } catch (RuntimeException e) {
      fail(e);
      next.inEach();
      return true;
    }
  }

  /** What {@link #turn} does; whatever it throws fails the node. */
  abstract boolean step(long nowNs, NextTurn next);

  /** Something that the node did on behalf of the engine threw an exception. */
  final void fail(RuntimeException cause) {
    boolean isKnown = cause instanceof DocaException;
    if (!isKnown && !hasEnded()) {
      LOG.error("{} fails: {}", this, cause, cause);
    }
    DocaError error =
        isKnown
            ? ((DocaException) cause).error()
            : DocaError.of("turn", DocaCode.UNEXPECTED.value(), name + ": " + cause);
    schedule();
    try {
      failed(error);
    } catch (RuntimeException e) {
      LOG.error("{}: {} while it failed with {}", this, e, error, e);
    }
  }

  /**
   * The node cannot go on as it is. It moves on to its end by one phase at least, so that it fails
   * a bounded number of times.
   */
  abstract void failed(DocaError error);

  /** Nothing native is left. */
  abstract boolean isGone();

  /** Whether nothing of it keeps its parent from being stopped any more: gone, or given up. */
  abstract boolean hasEnded();

  /** There will be no turn any more: whatever was asked is answered. */
  abstract void forsake(DocaError reason);

  /** The actor is no more: end at once and tell nobody. */
  public abstract void abandon();
}
