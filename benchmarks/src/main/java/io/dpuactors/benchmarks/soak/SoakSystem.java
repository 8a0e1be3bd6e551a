package io.dpuactors.benchmarks.soak;

import com.typesafe.config.Config;
import io.dpuactors.benchmarks.load.Asking;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.LocalMessage;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.pekko.actor.Kill;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** The actor system of a soak. For threads other than the engines'. */
final class SoakSystem implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** A request to the guardian. */
  private sealed interface Request {
    record Spawn(String name, ActorRef<ActorRef<EngineProtocol.Command>> replyTo)
        implements Request {}

    record End(ActorRef<EngineProtocol.Command> engine) implements Request {}

    record Watch(ActorRef<?> actor, Runnable onEnd) implements Request {}

    /** A watched actor has terminated. */
    record Ended(Runnable onEnd) implements Request {}
  }

  private final ActorSystem<Request> system;
  private final Map<Kind, ActorRef<LocalMessage>> answers = new EnumMap<>(Kind.class);
  private final AtomicLong askers = new AtomicLong();

  private SoakSystem(ActorSystem<Request> system, Ledger ledger) {
    this.system = system;
    for (Kind kind : Kind.values()) {
      Behavior<LocalMessage> receiver =
          Behaviors.receiveMessage(
              reply -> {
                ledger.answered(kind, Answer.of(reply));
                return Behaviors.same();
              });
      answers.put(kind, system.systemActorOf(receiver, "answers-" + kind.key(), Props.empty()));
    }
  }

  static SoakSystem start(Config config, Ledger ledger) {
    Behavior<Request> guardian =
        Behaviors.setup(
            context ->
                Behaviors.receiveMessage(
                    request -> {
                      if (request instanceof Request.Spawn spawn) {
                        spawn.replyTo().tell(Engine.spawn(context, spawn.name()));
                      } else if (request instanceof Request.End end) {
                        context.stop(end.engine());
                      } else if (request instanceof Request.Watch watch) {
                        context.watchWith(watch.actor(), new Request.Ended(watch.onEnd()));
                      } else if (request instanceof Request.Ended ended) {
                        ended.onEnd().run();
                      }
                      return Behaviors.same();
                    }));
    return new SoakSystem(ActorSystem.create(guardian, "soak", config), ledger);
  }

  /** Returns the receiver of the answers to requests of a kind. */
  ActorRef<LocalMessage> answers(Kind kind) {
    return Objects.requireNonNull(answers.get(kind));
  }

  ActorRef<EngineProtocol.Command> spawn(String name) {
    return ask(system, me -> new Request.Spawn(name, me));
  }

  /** Runs an action on the guardian's thread when an actor has terminated. */
  void watch(ActorRef<?> actor, Runnable onEnd) {
    system.tell(new Request.Watch(actor, onEnd));
  }

  /** Ends an engine without a message to it, and waits until it has terminated. */
  void end(ActorRef<EngineProtocol.Command> engine) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    watch(engine, () -> ended.complete(null));
    system.tell(new Request.End(engine));
    Asking.await(ended, LIMIT);
  }

  /** Lets an actor fail at its next message. */
  void kill(ActorRef<?> actor) {
    Adapter.toClassic(actor).tell(Kill.getInstance(), org.apache.pekko.actor.ActorRef.noSender());
  }

  /**
   * Asks an actor and waits for its answer. An actor that has ended gets the request too, so that
   * its answer is a part of the soak. Pekko's ask would fail without a request.
   */
  <C, R> R ask(ActorRef<C> actor, Function<ActorRef<R>, C> message) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    Behavior<R> receiver =
        Behaviors.receiveMessage(
            reply -> {
              answer.complete(reply);
              return Behaviors.stopped();
            });
    String name = "asker-" + askers.incrementAndGet();
    actor.tell(message.apply(system.systemActorOf(receiver, name, Props.empty())));
    return Asking.await(answer, LIMIT);
  }

  @Override
  public void close() {
    system.terminate();
    Asking.await(system.getWhenTerminated().toCompletableFuture(), LIMIT);
  }
}
