package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.LocalMessage;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * An event of a node for the incarnation of the actor that owns it. Later incarnations ignore it.
 */
public sealed interface NodeEvent extends LocalMessage {
  /** Returns the incarnation that was passed to {@link #owner}. */
  Object incarnation();

  /** The context runs. */
  record Running(Object incarnation) implements NodeEvent {}

  /** The context could not be started, or stopped by itself. */
  record Failed(Object incarnation, DocaError error) implements NodeEvent {}

  /** Nothing native is left. */
  record Gone(Object incarnation) implements NodeEvent {}

  /** Returns an owner that sends the node's events to its actor. */
  static ContextOwner owner(ActorRef<Object> self, Object incarnation) {
    return new ContextOwner() {
      @Override
      public void running() {
        self.tell(new Running(incarnation));
      }

      @Override
      public void failed(DocaError error) {
        self.tell(new Failed(incarnation, error));
      }

      @Override
      public void gone() {
        self.tell(new Gone(incarnation));
      }
    };
  }
}
