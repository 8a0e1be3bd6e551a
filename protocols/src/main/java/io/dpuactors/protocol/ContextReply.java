package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The answer to a command that opens a context. Each protocol has classes for its contexts, such as
 * {@link CompressProtocol.Opened}, so that an actor can adapt the answers of two contexts
 * separately. These interfaces serve code that handles the answers of all contexts.
 *
 * @param <C> messages of the context
 */
public interface ContextReply<C> extends LocalMessage {
  /** Returns the name in the command. */
  String name();

  /**
   * The context is running.
   *
   * @param <C> messages of the context
   */
  interface Opened<C> extends ContextReply<C> {
    /** Returns the actor of the context. */
    ActorRef<C> context();
  }

  /**
   * The open-deadline has passed, and the context continues to start until it is stopped or its
   * strategy has no attempt left. Only clients with a restart strategy give this answer.
   *
   * @param <C> messages of the context
   */
  interface Opening<C> extends ContextReply<C> {
    /** Returns the actor of the context. */
    ActorRef<C> context();

    /** Returns the awaited state and the time waited. */
    DocaError error();
  }

  /**
   * The start failed, and the actor has stopped.
   *
   * @param <C> messages of the context
   */
  interface OpenFailed<C> extends ContextReply<C> {
    /** Returns operation, code and cause. */
    DocaError error();
  }
}
