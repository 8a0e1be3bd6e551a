package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import java.util.Map;

/**
 * The load of a native context: requests or connections. It opens when the context runs, and must
 * end before the context is stopped. Engine's thread.
 */
public interface ContextLoad {
  /** Sets the node of this load. Called once, before all other methods. */
  default void belongTo(Node node) {}

  /**
   * Reserves resources for the tasks of a context that is created and not started.
   *
   * @param name of the context, for the error
   * @param configured the kinds of its tasks
   * @throws io.dpuactors.bridge.DocaException NO_MEMORY, naming the exhausted resource
   */
  default void reserve(String name, Map<TaskKind, TaskLimits> configured) {}

  /** Frees the resources of {@link #reserve}, because the context is destroyed. */
  default void destroyed() {}

  /** Opens the load of a running context with these kinds of tasks. */
  void open(DocaContext running, Map<TaskKind, TaskLimits> configured);

  /**
   * Refuses new requests and ends the pending ones as soon as possible. Idempotent; the first
   * reason counts.
   */
  void close(DocaError reason);

  /**
   * Closes the load because the context failed. Unlike after {@link #close}, received data can
   * still be taken.
   */
  default void fail(DocaError reason) {
    close(reason);
  }

  /**
   * Returns the code for a context that has stopped by itself.
   *
   * @param hasRun whether it was ever {@code RUNNING}
   */
  default DocaCode endCode(boolean hasRun) {
    return DocaCode.UNEXPECTED;
  }

  /**
   * Returns the code for a context that failed to start.
   *
   * @param failed the context, which is idle again
   */
  default DocaCode startCode(DocaContext failed) {
    return endCode(false);
  }

  /** Returns the number of tasks on the device. */
  int inFlight();

  /**
   * Returns whether the context may be stopped, even with tasks in flight: all its dependents have
   * ended.
   */
  default boolean mayStop() {
    return true;
  }

  /**
   * Returns whether the user of the context has received everything that preceded its end. The node
   * reports a failure to the actor only then, or after the drain deadline.
   */
  default boolean isRead() {
    return true;
  }

  /** Returns whether the device has received everything that was accepted before {@link #close}. */
  default boolean isSent() {
    return true;
  }

  /** Answers all requests that the device has not received, because the context is now stopped. */
  default void cut(DocaError reason) {}

  /** Drops received data that has not been taken, because the user has requested the end. */
  default void dropUnread() {}

  /**
   * Runs one turn: deadlines, retries, the next step.
   *
   * @param next receives the time of the load's next turn; the node plans its turns itself
   */
  void turn(long nowNs, NextTurn next);

  /** Answers all requests on the device, because the context is given up. */
  void expireAll();

  /** Handles an event of the communication channel that carries this context's user data. */
  default void onEvent(CompletionRing record) {
    throw new IllegalStateException("a context without connections got " + record.type());
  }
}
