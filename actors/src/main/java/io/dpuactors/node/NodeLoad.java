package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;

/**
 * The load of a node: requests, messages or connections. The load must end before the node is
 * stopped. Engine's thread.
 */
public interface NodeLoad {
  /** Sets the node of this load. Called once, before all other methods. */
  default void belongTo(LoadedNode<?> node) {}

  /**
   * Refuses new requests and ends the pending ones as soon as possible. Idempotent; the first
   * reason counts.
   */
  void close(DocaError reason);

  /**
   * Closes the load because the node failed. Unlike after {@link #close}, received data can still
   * be taken.
   */
  default void fail(DocaError reason) {
    close(reason);
  }

  /** Returns the number of tasks on the device. */
  int inFlight();

  /**
   * Returns whether the node may be stopped, even with tasks in flight: all its dependents have
   * ended.
   */
  default boolean mayStop() {
    return true;
  }

  /**
   * Returns whether the user of the node has received everything that preceded its end. The node
   * reports a failure to the actor only then, or after the drain deadline.
   */
  default boolean isRead() {
    return true;
  }

  /** Returns whether the device has received everything that was accepted before {@link #close}. */
  default boolean isSent() {
    return true;
  }

  /** Answers all requests that the device has not received, because the node is now stopped. */
  default void stopping(DocaError reason) {}

  /** Drops received data that has not been taken, because the user has requested the end. */
  default void dropUnread() {}

  /**
   * Runs one turn: deadlines, retries, the next step.
   *
   * @param next receives the time of the load's next turn; the node plans its turns itself
   */
  void turn(long nowNs, NextTurn next);

  /** Answers all requests on the device, because the node is abandoned. */
  void expireAll();
}
