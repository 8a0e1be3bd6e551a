package com.example.rdmawrite;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function;

/** Asks an actor and waits for its answer. For the start of a program; no actor may wait. */
final class Ask {
  private Ask() {}

  static <Q, A> A of(ActorSystem<?> system, ActorRef<Q> actor, Function<ActorRef<A>, Q> question) {
    CompletionStage<A> answer =
        AskPattern.ask(actor, question, Duration.ofSeconds(10), system.scheduler());
    return answer.toCompletableFuture().join();
  }
}
