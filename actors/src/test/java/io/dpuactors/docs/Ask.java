package io.dpuactors.docs;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function;

/** Pekko's ask pattern, for code outside of actors. */
final class Ask {
  private Ask() {}

  static <C, R> R ask(ActorRef<C> actor, Function<ActorRef<R>, C> message, ActorSystem<?> system) {
    return AskPattern.ask(actor, message, Duration.ofSeconds(10), system.scheduler())
        .toCompletableFuture()
        .join();
  }
}
