package io.dpuactors.simulation;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Opens a server and its clients, disturbs them, and compares the messages with a model. */
final class ComchProgram {
  /** Processes that run scenarios at the same time must not meet. */
  static final String SERVICE = "simulation-" + ProcessHandle.current().pid();

  private static final int MAX_CLIENTS = 4;

  private final Run run;
  private final ActorContext<Object> context;
  private final Answers answers;
  private final boolean isCalm;
  private final List<ActorRef<EngineProtocol.Command>> engines = new ArrayList<>();
  private final List<EchoClient> clients = new ArrayList<>();
  private @Nullable ActorRef<Object> server;
  private int running = 2;
  private int connections;
  private boolean hasServerEnded;
  private boolean isFinishing;

  ComchProgram(Run run, ActorContext<Object> context) {
    this.run = run;
    this.context = context;
    this.answers = new Answers(run);
    Disturbances disturbances = Disturbances.draw(run);
    this.isCalm = disturbances.isCalm();
    spawn("dpu");
    spawn("host");
    engines.get(0).tell(new OpenComchServer("server", server(), expect("open server")));
    disturbances.schedule(context);
  }

  private void spawn(String name) {
    ActorRef<EngineProtocol.Command> engine =
        Engine.spawn(context, name, TaskProgram.engineOptions(run));
    context.watch(engine);
    engines.add(engine);
  }

  private <R> ActorRef<R> expect(String kind) {
    return answers.expect(kind, context.getSelf());
  }

  private ServerOptions server() {
    return ServerOptions.of(SERVICE, this::echo).withConnections(connections());
  }

  /** Returns the options of connections, of either side. */
  ConnectionOptions connections() {
    return ConnectionOptions.defaults()
        .withWindow(run.oneOf(1, 4, 16))
        .withQueue(64)
        .withSupervision(run.chance(50) ? SupervisorStrategy.stop() : SupervisorStrategy.restart());
  }

  private Behavior<ConnectionEvent> echo(ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.setup(
        context -> {
          connections++;
          return Behaviors.receive(ConnectionEvent.class)
              .onMessage(Message.class, message -> onMessage(connection, message))
              .onAnyMessage(event -> Behaviors.same())
              .onSignal(PostStop.class, signal -> onConnectionEnd())
              .onSignal(PreRestart.class, signal -> onConnectionEnd())
              .build();
        });
  }

  private Behavior<ConnectionEvent> onMessage(
      ActorRef<ConnectionProtocol.Command> connection, Message message) {
    if (!isCalm && run.chance(1)) {
      run.reached("behavior throws");
      throw new IllegalStateException(Poison.TEXT);
    }
    connection.tell(Send.orFail(message.bytes()));
    return Behaviors.same();
  }

  private Behavior<ConnectionEvent> onConnectionEnd() {
    connections--;
    return Behaviors.same();
  }

  Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(ContextReply.class, this::onServer)
        .onMessage(Stopped.class, this::onStopped)
        .onMessage(Disturb.class, this::onDisturbance)
        .onMessage(Scenario.Finish.class, finish -> onFinish())
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  private Behavior<Object> onServer(ContextReply<?> reply) {
    answers.answered("open server");
    if (reply instanceof ContextReply.Opened<?> opened) {
      ActorRef<Object> ref = opened.context().unsafeUpcast();
      server = ref;
      context.watch(ref);
      int count = run.draw(1, MAX_CLIENTS);
      for (int i = 0; i < count; i++) {
        EchoClient client = new EchoClient(this, run, isCalm, engines.get(1), "client" + i);
        clients.add(client);
        context.spawn(client.behavior(), "program" + i);
      }
    } else if (reply instanceof ContextReply.OpenFailed<?> failed) {
      run.check(!isCalm, "no server: " + failed.error());
    }
    return Behaviors.same();
  }

  private Behavior<Object> onStopped(Stopped stopped) {
    answers.answered("stop");
    run.note("stopped " + stopped.clean());
    return Behaviors.same();
  }

  /** Returns the state of the program, for the table of coverage. */
  private String state() {
    if (isFinishing) {
      return running == 0 ? "ended" : "stopping";
    }
    if (server == null) {
      return "opening";
    }
    return clients.stream().anyMatch(EchoClient::isConnecting) ? "connecting" : "busy";
  }

  private Behavior<Object> onDisturbance(Disturb disturb) {
    run.disturbed(disturb, state());
    ActorRef<Object> target = run.chance(50) || clients.isEmpty() ? server : oneOfClients();
    switch (disturb.what()) {
      case STOP_CONTEXT -> tell(target, new Stop());
      case BREAK_CONTEXT -> tell(target, Poison.CONTEXT);
      case KILL_CONTEXT -> {
        if (target != null) {
          Adapter.toClassic(target).tell(PoisonPill.getInstance(), null);
        }
      }
      case STOP_ENGINE -> stop(oneOfEngines());
      case BREAK_ENGINE -> oneOfEngines().tell(EnginePoison.NOW);
      case KILL_ENGINE -> context.stop(oneOfEngines());
      case FAULTS -> run.faults(disturb.plan());
    }
    return Behaviors.same();
  }

  private @Nullable ActorRef<Object> oneOfClients() {
    return clients.get(run.draw(0, clients.size() - 1)).connection();
  }

  private ActorRef<EngineProtocol.Command> oneOfEngines() {
    return engines.get(run.draw(0, engines.size() - 1));
  }

  private static void tell(@Nullable ActorRef<Object> to, Object message) {
    if (to != null) {
      to.tell(message);
    }
  }

  private void stop(ActorRef<EngineProtocol.Command> engine) {
    engine.tell(new Stop(this.<Stopped>expect("stop")));
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    ActorRef<?> ended = signal.getRef();
    hasServerEnded |= ended.equals(server) || ended.equals(engines.get(0));
    running -= ended.equals(server) ? 0 : 1;
    return Behaviors.same();
  }

  /** Called by a client that has finished its work. */
  void clientDone() {
    if (clients.stream().allMatch(EchoClient::isDone) && !isFinishing) {
      isFinishing = true;
      engines.forEach(this::stop);
    }
  }

  /** Each side knows the end of its peers when nothing happens any more. */
  private void checkPeers() {
    long alive = clients.stream().filter(client -> !client.hasEnded()).count();
    run.check(
        !hasServerEnded || alive == 0,
        "%d clients are connected to a server that has ended".formatted(alive));
    run.check(
        connections <= alive,
        "the server has %d connections to %d clients".formatted(connections, alive));
  }

  private Behavior<Object> onFinish() {
    if (running > 0 && !isFinishing) {
      isFinishing = true;
      run.check(!isCalm, "the program is stuck");
      checkPeers();
      engines.forEach(this::stop);
      return Behaviors.same();
    }
    run.check(running == 0, "%d engines did not end".formatted(running));
    answers.check();
    clients.forEach(EchoClient::check);
    int damaged = clients.stream().mapToInt(EchoClient::damaged).sum();
    run.check(
        damaged <= run.faultCount("corrupted"),
        "%d damaged messages, %d by faults".formatted(damaged, run.faultCount("corrupted")));
    return Behaviors.stopped();
  }
}
