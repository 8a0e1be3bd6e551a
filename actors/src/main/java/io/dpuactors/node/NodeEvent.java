package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.LocalMessage;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What a node tells the incarnation of an actor that owns it; one that comes too late is for
 * nobody.
 */
public sealed interface NodeEvent extends LocalMessage {
  /** What the incarnation has given to {@link #owner}. */
  Object incarnation();

  /** The context runs. */
  record Running(Object incarnation) implements NodeEvent {}

  /** It could not be started, or stopped by itself. */
  record Failed(Object incarnation, DocaError error) implements NodeEvent {}

  /** Nothing native is left. */
  record Gone(Object incarnation) implements NodeEvent {}

  /** An owner that turns what the node says into messages to its actor. */
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
