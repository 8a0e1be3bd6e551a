package io.dpuactors.streams;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.Stop;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.KillSwitch;
import org.jspecify.annotations.Nullable;

/**
 * The actor of one {@link Comch#bind}: it opens the server, watches it, and stops it when the
 * source of connections has ended. The source completes when the server has ended.
 */
final class Binding {
  sealed interface Command {}

  private record ServerReply(ServerProtocol.OpenReply reply) implements Command {}

  /** The source of connections has ended, or the program asks for the end. */
  enum Unbind implements Command {
    INSTANCE
  }

  private final ActorContext<Command> context;
  private final KillSwitch source;
  private final CompletableFuture<ServerBinding> bound;
  private final CompletableFuture<Done> unbound = new CompletableFuture<>();
  private @Nullable ActorRef<ServerProtocol.Command> server;
  private boolean isUnbound;

  private Binding(
      ActorContext<Command> context, KillSwitch source, CompletableFuture<ServerBinding> bound) {
    this.context = context;
    this.source = source;
    this.bound = bound;
  }

  static Behavior<Command> create(
      ActorRef<EngineProtocol.Command> engine,
      String name,
      ServerOptions options,
      KillSwitch source,
      CompletableFuture<ServerBinding> bound) {
    return Behaviors.setup(
        context -> {
          engine.tell(
              new OpenComchServer(
                  name,
                  options,
                  context.messageAdapter(ServerProtocol.OpenReply.class, ServerReply::new)));
          return new Binding(context, source, bound).behavior();
        });
  }

  private Behavior<Command> behavior() {
    return Behaviors.receive(Command.class)
        .onMessage(ServerReply.class, message -> onReply(message.reply()))
        .onMessage(Unbind.class, message -> onUnbind())
        .onSignal(Terminated.class, over -> onServerEnded())
        .build();
  }

  private Behavior<Command> onReply(ServerProtocol.OpenReply reply) {
    if (reply instanceof ServerProtocol.OpenFailed failed) {
      DocaException failure = new DocaException(failed.error());
      bound.completeExceptionally(failure);
      source.abort(failure);
      return Behaviors.stopped();
    }
    ActorRef<ServerProtocol.Command> opened = ((ServerProtocol.Opened) reply).context();
    server = opened;
    context.watch(opened);
    bound.complete(new ServerBinding(opened, context.getSelf(), unbound));
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
