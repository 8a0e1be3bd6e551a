package io.dpuactors.streams;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.Stop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.KillSwitch;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * The actor of one source of connections: it opens the server, watches it, and stops it when the
 * source has ended. The source completes when the server has ended. The actor emits each
 * connection, and watches its relay.
 *
 * @param <S> messages of the server
 */
final class Binding<S> {
  sealed interface Command {}

  private record ServerReply(Object reply) implements Command {}

  /**
   * A connection has opened.
   *
   * @param relay ends with the stream of the connection
   * @param offer emits the connection
   */
  private record Connected(ActorRef<Relay.Command> relay, Runnable offer) implements Command {}

  /** The stream of a connection has ended. */
  private enum Left implements Command {
    INSTANCE
  }

  /** The source of connections has ended, or the program asks for the end. */
  enum Unbind implements Command {
    INSTANCE
  }

  /**
   * The program asks for the end after the streams.
   *
   * @param limit time for the streams; Pekko's scheduler has a maximum
   */
  record Drain(Duration limit) implements Command {
    Drain {
      limit = limit.compareTo(BlockPath.UNLIMITED) < 0 ? limit : BlockPath.UNLIMITED;
    }
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
  private final TimerScheduler<Command> timers;
  private final KillSwitch source;
  private final CompletableFuture<ServerBinding<S>> bound;
  private final CompletableFuture<Done> unbound = new CompletableFuture<>();
  private @Nullable ActorRef<Object> server;

  /** Connections whose stream has not ended. */
  private int connections;

  private boolean isDraining;
  private boolean isUnbound;

  private Binding(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      KillSwitch source,
      CompletableFuture<ServerBinding<S>> bound) {
    this.context = context;
    this.timers = timers;
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
            context ->
                Behaviors.withTimers(
                    timers -> {
                      ActorRef<Command> self = context.getSelf();
                      opening.open(
                          name,
                          one ->
                              self.tell(new Connected(one.relay(), () -> connections.offer(one))),
                          context.messageAdapter(Object.class, ServerReply::new));
                      return new Binding<>(context, timers, source, bound).behavior();
                    }));
    ActorRef<Command> binding = system.systemActorOf(behavior, "dpu-" + name, Props.empty());
    end.whenComplete((done, failure) -> binding.tell(Unbind.INSTANCE));
    return bound;
  }

  private Behavior<Command> behavior() {
    return Behaviors.receive(Command.class)
        .onMessage(ServerReply.class, message -> onReply(message.reply()))
        .onMessage(Connected.class, this::onConnected)
        .onMessageEquals(Left.INSTANCE, this::onLeft)
        .onMessage(Drain.class, this::onDrain)
        .onMessage(Unbind.class, message -> onUnbind())
        .onSignal(Terminated.class, over -> onServerEnded())
        .onSignal(PostStop.class, signal -> onStopped())
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

  private Behavior<Command> onConnected(Connected connected) {
    if (isDraining || isUnbound) {
      connected.relay().tell(Relay.Tick.NO_STREAM); // closes the connection
      return Behaviors.same();
    }
    connections++;
    context.watchWith(connected.relay(), Left.INSTANCE);
    connected.offer().run();
    return Behaviors.same();
  }

  private Behavior<Command> onLeft() {
    connections--;
    return unbindIfDrained();
  }

  private Behavior<Command> onDrain(Drain drain) {
    isDraining = true;
    timers.startSingleTimer(Unbind.INSTANCE, drain.limit());
    return unbindIfDrained();
  }

  private Behavior<Command> unbindIfDrained() {
    return isDraining && connections == 0 ? onUnbind() : Behaviors.same();
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

  /** The actor system may end before the server does. */
  private Behavior<Command> onStopped() {
    bound.completeExceptionally(
        Failures.exception("bind", DocaCode.SHUTDOWN, "the actor system has ended"));
    unbound.complete(Done.getInstance());
    return Behaviors.same();
  }
}
