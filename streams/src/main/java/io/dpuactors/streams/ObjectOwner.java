package io.dpuactors.streams;

import java.util.Optional;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The owner of an object that a stream creates in a context. A context destroys the objects of an
 * owner that has ended, also an object that the context creates after that. The object of an answer
 * that arrives too late therefore does not stay. Any thread.
 */
record ObjectOwner(ActorRef<Done> actor) {
  static ObjectOwner start(ActorSystem<?> system) {
    return new ObjectOwner(
        system.systemActorOf(
            Behaviors.receiveMessage(end -> Behaviors.stopped()),
            "dpu-" + Binding.name("owner"),
            Props.empty()));
  }

  /** Returns the actor as a command that creates an object names its owner. */
  Optional<ActorRef<?>> asOwner() {
    return Optional.of(actor);
  }

  /** Ends the owner. Its object must be destroyed, or no longer needed. */
  void end() {
    actor.tell(Done.getInstance());
  }
}
