package io.dpuactors.streams;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.Stop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.KillSwitch;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * The actor of one source of connections: it opens the server, watches it, and stops it when the
 * source has ended. The source completes when the server has ended.
 *
 * @param <S> messages of the server
 */
final class Binding<S> {
  sealed interface Command {}

  private record ServerReply(Object reply) implements Command {}

  /** The source of connections has ended, or the program asks for the end. */
  enum Unbind implements Command {
    INSTANCE
  }

  /**
   * Opens the server of one materialization.
   *
   * @param <C> messages of a connection
   */
  @FunctionalInterface
  interface Opening<C> {
    /**
     * Sends the command that opens the server.
     *
     * @param name of the server
     * @param connections receives each connection
     * @param replyTo receives a {@link ContextReply}
     */
    void open(String name, Consumer<IncomingConnection<C>> connections, ActorRef<Object> replyTo);
  }

  private final ActorContext<Command> context;
  private final KillSwitch source;
  private final CompletableFuture<ServerBinding<S>> bound;
  private final CompletableFuture<Done> unbound = new CompletableFuture<>();
  private @Nullable ActorRef<Object> server;
  private boolean isUnbound;

  private Binding(
      ActorContext<Command> context, KillSwitch source, CompletableFuture<ServerBinding<S>> bound) {
    this.context = context;
    this.source = source;
    this.bound = bound;
  }

  /**
   * Returns a unique name for an actor of a stream. The number in the name is random, not counted.
   * A simulation seeds the numbers, so the names of a run do not depend on earlier runs.
   */
  static String name(String kind) {
    return "stream-%s-%016x".formatted(kind, ThreadLocalRandom.current().nextLong());
  }

  /**
   * Returns a source of connections.
   *
   * @param waiting reads the number of connections that may wait for the downstream
   * @param opening opens the server
   */
  static <C, S> Source<IncomingConnection<C>, CompletionStage<ServerBinding<S>>> source(
      ToIntFunction<Config> waiting, Opening<C> opening) {
    return Source.fromMaterializer(
            (materializer, attributes) -> {
              ActorSystem<?> system = Adapter.toTyped(materializer.system());
              return Source.<IncomingConnection<C>>queue(
                      waiting.applyAsInt(system.settings().config()))
                  .viaMat(KillSwitches.single(), Keep.both())
                  .watchTermination(
                      (source, end) ->
                          Binding.<C, S>serve(
                              system, opening, source.first(), source.second(), end));
            })
        .mapMaterializedValue(stage -> Failures.plain(stage.thenCompose(binding -> binding)));
  }

  private static <C, S> CompletionStage<ServerBinding<S>> serve(
      ActorSystem<?> system,
      Opening<C> opening,
      BoundedSourceQueue<IncomingConnection<C>> connections,
      KillSwitch source,
      CompletionStage<Done> end) {
    CompletableFuture<ServerBinding<S>> bound = new CompletableFuture<>();
    String name = name("server");
    Behavior<Command> behavior =
        Behaviors.setup(
            context -> {
              opening.open(
                  name, connections::offer, context.messageAdapter(Object.class, ServerReply::new));
              return new Binding<>(context, source, bound).behavior();
            });
    ActorRef<Command> binding = system.systemActorOf(behavior, "dpu-" + name, Props.empty());
    end.whenComplete((done, failure) -> binding.tell(Unbind.INSTANCE));
    return bound;
  }

  private Behavior<Command> behavior() {
    return Behaviors.receive(Command.class)
        .onMessage(ServerReply.class, message -> onReply(message.reply()))
        .onMessage(Unbind.class, message -> onUnbind())
        .onSignal(Terminated.class, over -> onServerEnded())
        .build();
  }

  private Behavior<Command> onReply(Object reply) {
    if (reply instanceof ContextReply.OpenFailed<?> failed) {
      DocaException failure = new DocaException(failed.error());
      bound.completeExceptionally(failure);
      source.abort(failure);
      return Behaviors.stopped();
    }
    @SuppressWarnings("unchecked") // the answer to the command of this actor
    ActorRef<S> opened = ((ContextReply.Opened<S>) reply).context();
    server = opened.unsafeUpcast();
    context.watch(opened);
    bound.complete(new ServerBinding<>(opened, context.getSelf(), unbound));
    return isUnbound ? onUnbind() : Behaviors.same();
  }

  private Behavior<Command> onUnbind() {
    isUnbound = true;
    if (server != null) {
      server.tell(new Stop());
    }
    return Behaviors.same();
  }

  private Behavior<Command> onServerEnded() {
    if (isUnbound) {
      source.shutdown();
    } else {
      source.abort(Failures.exception("bind", DocaCode.SHUTDOWN, "the server has ended"));
    }
    unbound.complete(Done.getInstance());
    return Behaviors.stopped();
  }
}
