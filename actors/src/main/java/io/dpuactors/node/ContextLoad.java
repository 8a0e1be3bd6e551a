package io.dpuactors.node;

import io.dpuactors.bridge.CompletionRing;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import java.util.Map;

/**
 * What a native context carries: requests, connections. It begins when the context runs, and must
 * come to its end before the context is stopped. Engine's thread.
 */
public interface ContextLoad {
  /** The node that carries it; once, before all else. */
  default void belongTo(Node node) {}

  /**
   * The context exists and is not started yet: keeps what its tasks need.
   *
   * @param name of the context, for the error
   * @param configured the kinds of its tasks
   * @throws io.dpuactors.bridge.DocaException NO_MEMORY, naming what is used up
   */
  default void reserve(String name, Map<TaskKind, TaskLimits> configured) {}

  /** The context is destroyed: what {@link #reserve} kept is free for others. */
  default void destroyed() {}

  /** The context runs, with these kinds of tasks configured. */
  void open(DocaContext running, Map<TaskKind, TaskLimits> configured);

  /**
   * Nothing new is taken any more, and what is there ends as soon as it can. Idempotent; the first
   * reason counts.
   */
  void close(DocaError reason);

  /**
   * The context is of no use any more, and nobody has asked for its end: {@link #close}, but what
   * came before can still be taken.
   */
  default void breakOff(DocaError reason) {
    close(reason);
  }

  /**
   * The code for a context that has stopped by itself.
   *
   * @param hasRun whether it was ever {@code RUNNING}
   */
  default DocaCode endCode(boolean hasRun) {
    return DocaCode.UNEXPECTED;
  }

  /**
   * The code for a context that has not come to run.
   *
   * @param failed is idle again
   */
  default DocaCode startCode(DocaContext failed) {
    return endCode(false);
  }

  /** Tasks that the device holds. */
  int inFlight();

  /**
   * Whether DOCA may be told to stop the context, even if tasks are in flight: everything that
   * depends on it is gone.
   */
  default boolean mayStop() {
    return true;
  }

  /**
   * Whether whoever uses the context has been given all that came before its end; its actor is told
   * of a failure only then, or when the drain deadline has passed.
   */
  default boolean isRead() {
    return true;
  }

  /** Whether the device has got all that was accepted before {@link #close}. */
  default boolean isSent() {
    return true;
  }

  /** The context is stopped now: what the device has not got is answered. */
  default void cut(DocaError reason) {}

  /** Somebody has asked for the end: what came before it and was not taken is dropped. */
  default void dropUnread() {}

  /**
   * A turn of the node: deadlines, retries, the next step.
   *
   * @param next gets when the load needs another one, beyond those that its node needs itself
   */
  void turn(long nowNs, NextTurn next);

  /** The context is given up: whatever the device still holds is answered. */
  void expireAll();

  /** An event of the communication channel that carries this context's user data. */
  default void onEvent(CompletionRing record) {
    throw new IllegalStateException("a context without connections got " + record.type());
  }
}
