package io.dpuactors.benchmarks.soak;

import com.typesafe.config.Config;
import io.dpuactors.benchmarks.soak.Ledger.Kind;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.comch.ConnectionProtocol.SendReply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.Kill;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function;

/** The actor system of a soak. For threads other than the engines'. */
final class SoakSystem implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** What the guardian does. */
  private sealed interface Order {
    record Spawn(String name, ActorRef<ActorRef<EngineProtocol.Command>> replyTo)
        implements Order {}

    record End(ActorRef<EngineProtocol.Command> engine, ActorRef<Ended> replyTo) implements Order {}

    record Over(ActorRef<Ended> replyTo) implements Order {}
  }

  /** An engine has terminated. */
  enum Ended {
    INSTANCE
  }

  private final ActorSystem<Order> system;
  private final ActorRef<TaskReply> compressed;
  private final ActorRef<TaskReply> copied;
  private final ActorRef<SendReply> sent;

  private SoakSystem(ActorSystem<Order> system, Ledger ledger) {
    this.system = system;
    this.compressed = sink("compressed", reply -> ledger.answered(Kind.COMPRESS, reply));
    this.copied = sink("copied", reply -> ledger.answered(Kind.DMA, reply));
    this.sent = sink("sent", ledger::answered);
  }

  static SoakSystem start(Config config, Ledger ledger) {
    Behavior<Order> guardian =
        Behaviors.setup(
            context ->
                Behaviors.receive(Order.class)
                    .onMessage(
                        Order.Spawn.class,
                        order -> {
                          order.replyTo().tell(Engine.spawn(context, order.name()));
                          return Behaviors.same();
                        })
                    .onMessage(
                        Order.End.class,
                        order -> {
                          context.watchWith(order.engine(), new Order.Over(order.replyTo()));
                          context.stop(order.engine());
                          return Behaviors.same();
                        })
                    .onMessage(
                        Order.Over.class,
                        over -> {
                          over.replyTo().tell(Ended.INSTANCE);
                          return Behaviors.same();
                        })
                    .build());
    return new SoakSystem(ActorSystem.create(guardian, "soak", config), ledger);
  }

  private <R> ActorRef<R> sink(String name, java.util.function.Consumer<R> ledger) {
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
    return ask(system, me -> new Order.Spawn(name, me));
  }

  /** Ends an engine without a message to it, and waits until it has terminated. */
  void end(ActorRef<EngineProtocol.Command> engine) {
    this.<Order, Ended>ask(system, me -> new Order.End(engine, me));
  }

  /** Lets an actor fail at its next message. */
  void kill(ActorRef<?> actor) {
    Adapter.toClassic(actor).tell(Kill.getInstance(), org.apache.pekko.actor.ActorRef.noSender());
  }

  /** Asks an actor and waits for its answer. */
  <C, R> R ask(ActorRef<C> actor, Function<ActorRef<R>, C> message) {
    return await(AskPattern.ask(actor, message, LIMIT, system.scheduler()).toCompletableFuture());
  }

  private static <R> R await(CompletableFuture<R> future) {
    try {
      return future.get(LIMIT.plusSeconds(1).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("no answer from an actor", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for an actor", e);
    }
  }

  @Override
  public void close() {
    system.terminate();
    await(system.getWhenTerminated().toCompletableFuture());
  }
}
