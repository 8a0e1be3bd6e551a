package io.dpuactors.context;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.LocalMessage;
import org.apache.pekko.actor.typed.ActorRef;

/** What a context actor reports to its engine. */
public sealed interface ContextEvent extends LocalMessage {
  /** The context runs; after a restart once more. */
  record Running(ActorRef<?> context) implements ContextEvent {}

  /** The context's first start has failed; its actor ends. */
  record StartFailed(ActorRef<?> context, DocaError error) implements ContextEvent {}
}
