package io.dpuactors.simulation;

import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.simulation.FailingBehavior.Moment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Opens a server and its clients, disturbs them, and compares the messages with a model. */
final class ComchProgram extends PairProgram {
  /** Processes that run scenarios at the same time must not meet. */
  static final String SERVICE = "simulation-" + ProcessHandle.current().pid();

  private static final int MAX_CLIENTS = 4;

  /** States of the program, for the table of coverage. */
  static final List<String> STATES = List.of("opening", "connecting", "busy", "stopping", "ended");

  private static final int MAX_BYTES = 300;

  /** Largest message of connections that cut messages into pieces. */
  private static final int MAX_FRAMED_BYTES = 20_000;

  /** The actor of a client has ended. */
  private record ClientEnded(EchoClient client) {}

  private final List<EchoClient> clients = new ArrayList<>();

  /** The behaviors of the server's connections. */
  private final Set<ActorRef<?>> serving = new HashSet<>();

  private @Nullable ActorRef<Object> server;
  private final boolean isFramed;
  private int writers;
  private int died;
  private boolean hasServerEnded;

  private ComchProgram(
      Run run,
      ActorContext<Object> context,
      Disturbances disturbances,
      @Nullable PairProgram whole,
      boolean isFramed) {
    super(run, context, disturbances, whole);
    this.isFramed = isFramed;
    engines.dpu().tell(new OpenComchServer("server", server(), expect("open server")));
  }

  static ComchProgram create(Run run, ActorContext<Object> context, @Nullable PairProgram whole) {
    Disturbances disturbances = disturbances(run, STATES, whole);
    return new ComchProgram(run, context, disturbances, whole, run.chance(25));
  }

  private ServerOptions server() {
    return ServerOptions.of(
            SERVICE,
            connection ->
                FailingBehavior.of(
                    run, isCalm, ConnectionEvent.class, Moment.OF_SERVICES, echo(connection)))
        .withConnections(connections());
  }

  /** Returns the options of connections, of either side. */
  ConnectionOptions connections() {
    ConnectionOptions options = ConnectionOptions.defaults();
    return (isFramed ? options.withFraming(new MessageFraming(MAX_FRAMED_BYTES)) : options)
        .withWindow(run.oneOf(1, 4, 16))
        .withQueue(64)
        .withDeadline(Deadlines.of(run))
        .withSupervision(run.chance(50) ? SupervisorStrategy.stop() : SupervisorStrategy.restart());
  }

  /** Returns the size of the largest message. */
  int maxBytes() {
    return isFramed ? MAX_FRAMED_BYTES : MAX_BYTES;
  }

  private Behavior<ConnectionEvent> echo(ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.setup(
        context -> {
          ActorRef<Object> writer =
              context.spawn(
                  DataWriter.create(run, isCalm, writers++, engines.dpu(), connection), "writer");
          serving.add(context.getSelf());
          return Behaviors.receive(ConnectionEvent.class)
              .onMessage(Message.class, message -> onMessage(connection, message))
              .onAnyMessage(event -> onEvent(writer, event))
              .onSignal(PostStop.class, signal -> onConnectionEnd(context))
              .onSignal(PreRestart.class, signal -> onConnectionEnd(context))
              .build();
        });
  }

  private Behavior<ConnectionEvent> onMessage(
      ActorRef<ConnectionProtocol.Command> connection, Message message) {
    if (!isCalm && run.throwsIn(1)) {
      run.reached(FailureCause.THROWN);
      throw new IllegalStateException(Poison.TEXT);
    }
    connection.tell(Send.orFail(message.bytes()));
    return Behaviors.same();
  }

  private static Behavior<ConnectionEvent> onEvent(ActorRef<Object> writer, ConnectionEvent event) {
    writer.tell(event);
    return Behaviors.same();
  }

  private Behavior<ConnectionEvent> onConnectionEnd(ActorContext<ConnectionEvent> context) {
    serving.remove(context.getSelf());
    return Behaviors.same();
  }

  @Override
  BehaviorBuilder<Object> work(BehaviorBuilder<Object> builder) {
    return builder
        .onMessage(ContextReply.class, this::onServer)
        .onMessage(ClientEnded.class, this::onClientEnd);
  }

  private Behavior<Object> onClientEnd(ClientEnded ended) {
    died++;
    ended.client().died();
    return Behaviors.same();
  }

  private Behavior<Object> onServer(ContextReply<?> reply) {
    answers.answered("open server");
    if (reply instanceof ContextReply.Opened<?> opened) {
      ActorRef<Object> ref = opened.context().unsafeUpcast();
      server = ref;
      context.watch(ref);
      int count = Aim.isAt(run, "connecting") ? MAX_CLIENTS : run.draw(1, MAX_CLIENTS);
      for (int i = 0; i < count; i++) {
        EchoClient client = new EchoClient(this, run, isCalm, engines.host(), "client" + i);
        clients.add(client);
        context.watchWith(
            context.spawn(
                FailingBehavior.of(run, isCalm, Object.class, Moment.OF_CLIENTS, client.behavior()),
                "program" + i),
            new ClientEnded(client));
      }
    } else if (reply instanceof ContextReply.OpenFailed<?> failed) {
      run.check(!isCalm, "no server: " + failed.error());
    }
    return Behaviors.same();
  }

  @Override
  String workState() {
    if (server == null) {
      return "opening";
    }
    return clients.stream().anyMatch(EchoClient::isConnecting) ? "connecting" : "busy";
  }

  @Override
  @Nullable ActorRef<Object> target() {
    return run.chance(50) || clients.isEmpty()
        ? server
        : clients.get(run.draw(0, clients.size() - 1)).connection();
  }

  @Override
  void onEnd(ActorRef<?> actor) {
    hasServerEnded |= actor.equals(server) || actor.equals(engines.dpu());
  }

  @Override
  void openAnother(String name) {
    ServerOptions options = ServerOptions.of(SERVICE + "-" + name);
    engines.dpu().tell(new OpenComchServer(name, options, context.getSystem().ignoreRef()));
  }

  /** Called by a client that has finished its work. */
  void clientDone() {
    if (clients.stream().allMatch(EchoClient::isDone)) {
      done();
    }
  }

  /**
   * Each side knows the end of its peers when nothing happens any more. The connection of a client
   * that has died continues.
   */
  @Override
  void checkAtRest() {
    long alive = clients.stream().filter(client -> !client.hasEnded()).count();
    run.check(
        !hasServerEnded || alive == 0,
        "%d clients are connected to a server that has ended",
        alive);
    run.check(
        serving.size() <= alive + died,
        "the server has %d connections to %d clients, and %d clients have died",
        serving.size(),
        alive,
        died);
  }

  @Override
  void check() {
    clients.forEach(EchoClient::check);
    run.checkFaulty("damaged messages", clients.stream().mapToInt(EchoClient::damaged).sum());
  }
}
