package io.dpuactors.engine;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Request;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.actor.ActorPath;
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

  private final Set<ActorPath> engines = ConcurrentHashMap.newKeySet();

  private DeadRequests(ActorSystem<?> system) {
    ActorRef<AllDeadLetters> answerer =
        system.systemActorOf(answerer(), "dpu-dead-requests", Props.empty());
    system.eventStream().tell(new EventStream.Subscribe<>(AllDeadLetters.class, answerer));
  }

  /** Starts answering for this engine and what it will open. Any thread. */
  static void answerFor(ActorRef<?> engine, ActorSystem<?> system) {
    ID.apply(system).engines.add(engine.path());
  }

  private Behavior<AllDeadLetters> answerer() {
    return Behaviors.receive(AllDeadLetters.class)
        .onAnyMessage(
            letter -> {
              if (letter.message() instanceof Request request && isOurs(letter)) {
                request.refuse(ENDED);
              }
              return Behaviors.same();
            })
        .build();
  }

  /** Why an engine could not start is for its parent to tell: nothing of it has ended. */
  private boolean isOurs(AllDeadLetters letter) {
    return !(letter.message() instanceof EngineProtocol.Open<?>)
        || engines.contains(letter.recipient().path());
  }
}
