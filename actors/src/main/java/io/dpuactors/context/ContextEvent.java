package io.dpuactors.context;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.LocalMessage;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/** Event that a context actor sends to its engine. */
public sealed interface ContextEvent extends LocalMessage {
  /**
   * The context runs. Sent again after each restart.
   *
   * @param device PCI address; empty for a client and for a part of a connection
   */
  record Running(ActorRef<?> context, Optional<String> device) implements ContextEvent {
    /** The event of a client, or of a part of a connection. */
    public Running(ActorRef<?> context) {
      this(context, Optional.empty());
    }
  }

  /** The first start of the context has failed, and its actor ends. */
  record StartFailed(ActorRef<?> context, DocaError error) implements ContextEvent {}
}
