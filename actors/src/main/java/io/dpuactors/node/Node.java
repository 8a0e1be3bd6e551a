package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;

/**
 * A native thing with a life of its own, which the engine turns until it is gone. Engine's thread.
 */
abstract class Node {
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
  abstract boolean turn(long nowNs);

  /**
   * Whether its turns do nothing until something is asked of it, or comes unasked: no deadline, no
   * retry, no step of a start or stop is ahead. The engine may sleep longer then.
   */
  abstract boolean isAtRest();

  /** Nothing native is left. */
  abstract boolean isGone();

  /** Whether a successor of the same name has to wait. */
  abstract boolean occupies();

  /** There will be no turn any more: whatever was asked is answered. */
  abstract void forsake(DocaError reason);

  /** The actor is no more: end at once and tell nobody. */
  public abstract void abandon();
}
