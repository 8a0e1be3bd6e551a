package io.dpuactors.benchmarks.soak;

import com.typesafe.config.Config;
import io.dpuactors.benchmarks.load.Asking;
import io.dpuactors.benchmarks.soak.Ledger.Kind;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.TaskReply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.pekko.actor.Kill;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function;

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
  private final ActorRef<TaskReply> compressed;
  private final ActorRef<TaskReply> copied;
  private final ActorRef<SendReply> sent;

  private SoakSystem(ActorSystem<Request> system, Ledger ledger) {
    this.system = system;
    this.compressed = sink("compressed", reply -> ledger.answered(Kind.COMPRESS, reply));
    this.copied = sink("copied", reply -> ledger.answered(Kind.DMA, reply));
    this.sent = sink("sent", ledger::answered);
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

  private <R> ActorRef<R> sink(String name, Consumer<R> ledger) {
    Behavior<R> behavior =
        Behaviors.receiveMessage(
            reply -> {
              ledger.accept(reply);
              return Behaviors.same();
            });
    return system.systemActorOf(behavior, name, Props.empty());
  }

  ActorRef<TaskReply> compressed() {
    return compressed;
  }

  ActorRef<TaskReply> copied() {
    return copied;
  }

  ActorRef<SendReply> sent() {
    return sent;
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

  /** Asks an actor and waits for its answer. */
  <C, R> R ask(ActorRef<C> actor, Function<ActorRef<R>, C> message) {
    return Asking.ask(system, actor, message, LIMIT);
  }

  @Override
  public void close() {
    system.terminate();
    Asking.await(system.getWhenTerminated().toCompletableFuture(), LIMIT);
  }
}
