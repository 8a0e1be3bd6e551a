package io.dpuactors.context;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.LocalMessage;
import org.apache.pekko.actor.typed.ActorRef;

/** Event that a context actor sends to its engine. */
public sealed interface ContextEvent extends LocalMessage {
  /** The context runs. Sent again after each restart. */
  record Running(ActorRef<?> context) implements ContextEvent {}

  /** The first start of the context has failed, and its actor ends. */
  record StartFailed(ActorRef<?> context, DocaError error) implements ContextEvent {}
}
