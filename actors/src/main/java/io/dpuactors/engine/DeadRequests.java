package io.dpuactors.engine;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.Request;
import org.apache.pekko.actor.AllDeadLetters;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Answers requests whose context has ended before it saw them. Pekko turns such messages into dead
 * letters; the promise that every request gets exactly one answer holds for them, too.
 */
final class DeadRequests implements Extension {
  private static final ExtensionId<DeadRequests> ID =
      new ExtensionId<>() {
        @Override
        public DeadRequests createExtension(ActorSystem<?> system) {
          return new DeadRequests(system);
        }
      };

  private static final DocaError ENDED =
      DocaError.of("context", DocaCode.SHUTDOWN.value(), "the context of the request has ended");

  private DeadRequests(ActorSystem<?> system) {
    ActorRef<AllDeadLetters> answerer =
        system.systemActorOf(answerer(), "dpu-dead-requests", Props.empty());
    system.eventStream().tell(new EventStream.Subscribe<>(AllDeadLetters.class, answerer));
  }

  /** Starts answering in this actor system; once. */
  static void install(ActorSystem<?> system) {
    ID.apply(system);
  }

  private static Behavior<AllDeadLetters> answerer() {
    return Behaviors.receive(AllDeadLetters.class)
        .onAnyMessage(
            letter -> {
              if (letter.message() instanceof Request request) {
                request.refuse(ENDED);
              }
              return Behaviors.same();
            })
        .build();
  }
}
