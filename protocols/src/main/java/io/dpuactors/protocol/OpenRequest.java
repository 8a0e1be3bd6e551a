package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A command that opens a context as a supervised child of its receiver. The receiver calls exactly
 * one of the answer methods: when the context runs, when its start fails, or at a deadline.
 *
 * @param <C> messages of the context
 */
public interface OpenRequest<C> extends Request {
  /** Returns the name of the child actor, unique below the receiver. */
  String name();

  /** Answers that the context is running. */
  void opened(ActorRef<C> context);

  /** Returns whether the context continues to start after the deadline. */
  default boolean keepsStarting() {
    return false;
  }

  /** Answers that the context continues to start after the deadline. */
  default void opening(ActorRef<C> context, DocaError error) {
    refuse(error);
  }
}
