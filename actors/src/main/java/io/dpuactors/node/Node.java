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

  private final String name;
  private final long id;

  Node(String name, long id) {
    this.name = name;
    this.id = id;
  }

  /** Unique among the nodes of an engine that are in use. */
  final String name() {
    return name;
  }

  /** Unique for ever; the user data of the node's records. */
  final long id() {
    return id;
  }

  /** One turn of the loop; returns whether the node moved on. */
  final boolean turn(long nowNs) {
    try {
      return step(nowNs);
    } catch (RuntimeException e) {
      fail(e);
      return true;
    }
  }

  /** What {@link #turn} does; whatever it throws fails the node. */
  abstract boolean step(long nowNs);

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

  /**
   * Whether its turns do nothing until something is asked of it, or comes unasked: no deadline, no
   * retry, no step of a start or stop is ahead. The engine may sleep longer then.
   */
  abstract boolean isAtRest();

  /** Nothing native is left. */
  abstract boolean isGone();

  /** Whether nothing of it keeps its parent from being stopped any more: gone, or given up. */
  abstract boolean hasEnded();

  /** Whether a successor of the same name has to wait. */
  abstract boolean occupies();

  /** There will be no turn any more: whatever was asked is answered. */
  abstract void forsake(DocaError reason);

  /** The actor is no more: end at once and tell nobody. */
  public abstract void abandon();
}
