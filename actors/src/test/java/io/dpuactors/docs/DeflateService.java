package io.dpuactors.docs;

import io.dpuactors.engine.Engine;
import io.dpuactors.engine.HeapTaskOptions;
import io.dpuactors.engine.HeapTasks;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.TaskOptions;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;

/** A service with two engines: a server, and a context that compresses its clients' messages. */
final class DeflateService {
  // tag::service[]
  sealed interface Command {}

  private record CompressOpened(CompressProtocol.OpenReply reply) implements Command {}

  private record TasksOpened(HeapTasks<CompressProtocol.Command> tasks) implements Command {}

  private record ServerOpened(ServerProtocol.OpenReply reply) implements Command {}

  private record NotOpened(Object cause) implements Command {}

  static Behavior<Command> create(String name) {
    return Behaviors.supervise(
            Behaviors.<Command>setup(context -> new DeflateService(context, name).behavior()))
        .onFailure(
            SupervisorStrategy.restartWithBackoff(Duration.ofMillis(10), Duration.ofSeconds(1), 0));
  }

  private Behavior<Command> behavior() {
    ActorRef<CompressProtocol.OpenReply> adapter =
        context.messageAdapter(CompressProtocol.OpenReply.class, CompressOpened::new);
    back.tell(new OpenCompress("compress", TaskOptions.defaults(), adapter));
    return Behaviors.receive(Command.class)
        .onMessage(CompressOpened.class, message -> openTasks(message.reply()))
        .onMessage(TasksOpened.class, message -> openServer(message.tasks()))
        .onMessage(ServerOpened.class, message -> onServer(message.reply()))
        .onMessage(NotOpened.class, message -> fail(message.cause()))
        .build();
  }

  private Behavior<Command> openTasks(CompressProtocol.OpenReply reply) {
    if (!(reply instanceof CompressProtocol.Opened opened)) {
      return fail(reply);
    }
    context.pipeToSelf(
        HeapTasks.open(
            context.getSystem(),
            back,
            opened.context(),
            Deflate::new,
            HeapTaskOptions.of(4096, 8192)),
        (tasks, failure) -> failure == null ? new TasksOpened(tasks) : new NotOpened(failure));
    return Behaviors.same();
  }

  private Behavior<Command> openServer(HeapTasks<CompressProtocol.Command> tasks) {
    ServerOptions options =
        ServerOptions.of(name, Event::new, connection -> serve(connection, tasks));
    ActorRef<ServerProtocol.OpenReply> adapter =
        context.messageAdapter(ServerProtocol.OpenReply.class, ServerOpened::new);
    front.tell(new OpenComchServer("server", options, adapter));
    return Behaviors.same();
  }

  // end::service[]

  // tag::connection[]
  private sealed interface OfConnection {}

  private record Event(ConnectionEvent event) implements OfConnection {}

  private record Deflated(ByteString bytes) implements OfConnection {}

  private record NotDeflated(Throwable cause) implements OfConnection {}

  private static Behavior<OfConnection> serve(
      ActorRef<ConnectionProtocol.Command> connection, HeapTasks<CompressProtocol.Command> tasks) {
    return Behaviors.setup(
        context ->
            Behaviors.receive(OfConnection.class)
                .onMessage(Event.class, message -> deflate(context, message.event(), tasks))
                .onMessage(
                    Deflated.class,
                    message -> {
                      connection.tell(Send.orFail(message.bytes().toArray()));
                      return Behaviors.same();
                    })
                .onMessage(NotDeflated.class, message -> Behaviors.stopped())
                .build());
  }

  private static Behavior<OfConnection> deflate(
      ActorContext<OfConnection> context,
      ConnectionEvent event,
      HeapTasks<CompressProtocol.Command> tasks) {
    if (event instanceof Message message) {
      context.pipeToSelf(
          tasks.run(ByteString.fromArray(message.bytes())),
          (bytes, failure) -> failure == null ? new Deflated(bytes) : new NotDeflated(failure));
    }
    return Behaviors.same();
  }

  // end::connection[]

  private final ActorContext<Command> context;
  private final String name;
  private final ActorRef<EngineProtocol.Command> front;
  private final ActorRef<EngineProtocol.Command> back;

  private DeflateService(ActorContext<Command> context, String name) {
    this.context = context;
    this.name = name;
    front = Engine.spawn(context, name + "-front");
    back = Engine.spawn(context, name + "-back");
  }

  private Behavior<Command> onServer(ServerProtocol.OpenReply reply) {
    return reply instanceof ServerProtocol.Opened ? Behaviors.same() : fail(reply);
  }

  private static Behavior<Command> fail(Object cause) {
    throw new IllegalStateException(cause.toString());
  }
}
