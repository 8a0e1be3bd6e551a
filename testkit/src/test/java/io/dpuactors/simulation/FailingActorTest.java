package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.loop.ActorMoment;
import io.dpuactors.protocol.ClientEvent;
import io.dpuactors.protocol.ClientEvent.Connected;
import io.dpuactors.protocol.ClientEvent.Lost;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveFailed;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/**
 * Tests actors of the library that throw at a moment of their lives. The end of each run checks
 * that nothing is left.
 */
class FailingActorTest {
  private static final String SERVICE = "failing-actor-" + ProcessHandle.current().pid();

  private static void fail(SimulatedSystem system, ActorMoment failing) {
    fail(system, failing, 1);
  }

  private static void fail(SimulatedSystem system, ActorMoment failing, int count) {
    system.expectLog(Poison.TEXT);
    World.current().control().failAt(failing, count);
  }

  private static CompressProtocol.OpenReply open(
      SimulatedSystem system, ActorRef<EngineProtocol.Command> engine) {
    return system.ask(engine, me -> new OpenCompress("tasks", TaskOptions.defaults(), me));
  }

  private static ActorRef<Object> opened(CompressProtocol.OpenReply reply) {
    assertThat(reply).isInstanceOf(CompressProtocol.Opened.class);
    return ((CompressProtocol.Opened) reply).context().unsafeUpcast();
  }

  private static ActorRef<EngineProtocol.Command> engine(SimulatedSystem system, String name) {
    ActorRef<EngineProtocol.Command> engine = system.engine(name);
    system.ask(engine, GetStatus::new);
    return engine;
  }

  /** The supervisor starts the context again. */
  @Test
  void aContextThatThrowsAtItsStartLeavesNothing() {
    Simulation.ofSeeds(1, 10)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = engine(system, "one");
              fail(system, ActorMoment.START);
              opened(open(system, engine));
            });
  }

  /** Afterwards a context of the same name opens. */
  @Test
  void aContextThatThrowsAtItsStopLeavesNothing() {
    Simulation.ofSeeds(1, 10)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = engine(system, "one");
              ActorRef<Object> context = opened(open(system, engine));
              fail(system, ActorMoment.STOP);
              Stopped stopped = system.<Object, Stopped>ask(context, Stop::new);
              assertThat(stopped.clean()).isTrue();
              system.settle();
              opened(open(system, engine));
            });
  }

  @Test
  void aContextThatThrowsBeforeItsRestartRestarts() {
    Simulation.ofSeeds(1, 10)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = engine(system, "one");
              ActorRef<Object> context = opened(open(system, engine));
              fail(system, ActorMoment.RESTART);
              context.tell(Poison.CONTEXT);
              system.settle();
              Stopped stopped = system.<Object, Stopped>ask(context, Stop::new);
              assertThat(stopped.clean()).isTrue();
            });
  }

  @Test
  void anEngineThatThrowsAtItsStartLeavesNothing() {
    Simulation.ofSeeds(1, 10)
        .run(
            system -> {
              fail(system, ActorMoment.START);
              ActorRef<EngineProtocol.Command> failing = system.engine("one");
              assertThat(open(system, failing)).isInstanceOf(CompressProtocol.OpenFailed.class);
              opened(open(system, engine(system, "two")));
            });
  }

  /** The engine ends after its context, and both throw. */
  @Test
  void anEngineThatThrowsAtItsStopLeavesNothing() {
    Simulation.ofSeeds(1, 10)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = engine(system, "one");
              opened(open(system, engine));
              fail(system, ActorMoment.STOP, 2);
              engine.<Object>unsafeUpcast().tell(PoisonSignal.NOW);
              system.settle();
              assertThat(system.ask(engine, GetStatus::new)).isEqualTo(Status.ENDED);
              opened(open(system, engine(system, "two")));
            });
  }

  private static ActorRef<Object> server(
      SimulatedSystem system, ActorRef<EngineProtocol.Command> engine) {
    ServerOptions options = ServerOptions.of(SERVICE, connection -> Behaviors.ignore());
    ServerProtocol.OpenReply reply =
        system.ask(engine, me -> new OpenComchServer("server", options, me));
    assertThat(reply).isInstanceOf(ServerProtocol.Opened.class);
    return ((ServerProtocol.Opened) reply).context().unsafeUpcast();
  }

  /** The connection does not wait for a deadline. */
  @Test
  void aServerThatThrowsEndsItsConnections() {
    Simulation.ofSeeds(1, 10)
        .run(
            system -> {
              system.expectLog(Poison.TEXT);
              ActorRef<Object> server = server(system, engine(system, "dpu"));
              ActorRef<EngineProtocol.Command> host = engine(system, "host");
              SimulatedProbe<ClientEvent> events = system.probe();
              ClientOptions options = ClientOptions.of(SERVICE).withListener(events.ref());
              system.<EngineProtocol.Command, ConnectionProtocol.OpenReply>ask(
                  host, me -> new OpenComchClient("client", options, me));
              events.receive(Connected.class);
              Duration before = system.now();
              server.tell(PoisonSignal.NOW);
              events.receive(Lost.class);
              assertThat(system.now().minus(before)).isLessThan(Duration.ofSeconds(1));
            });
  }

  /**
   * Opens a client that throws at its start. Returns it while it waits for its only other start.
   */
  private static ActorRef<ConnectionProtocol.Command> waitingClient(SimulatedSystem system) {
    Duration backoff = Duration.ofMinutes(5);
    ClientOptions options =
        ClientOptions.of("no-server")
            .withSupervision(
                SupervisorStrategy.restartWithBackoff(backoff, backoff, 0).withMaxRestarts(1));
    ActorRef<EngineProtocol.Command> engine = engine(system, "one");
    fail(system, ActorMoment.START);
    ConnectionProtocol.OpenReply reply =
        system.ask(engine, me -> new OpenComchClient("client", options, me));
    assertThat(reply).isInstanceOf(ConnectionProtocol.Opening.class);
    return ((ConnectionProtocol.Opening) reply).context();
  }

  @Test
  void aClientThatThrowsAtItsStartStopsWhileItWaits() {
    Simulation.ofSeeds(1, 10)
        .run(
            system -> {
              ActorRef<ConnectionProtocol.Command> client = waitingClient(system);
              Duration before = system.now();
              Stopped stopped = system.<ConnectionProtocol.Command, Stopped>ask(client, Stop::new);
              assertThat(stopped.clean()).isTrue();
              assertThat(system.now().minus(before)).isLessThan(Duration.ofMinutes(1));
            });
  }

  @Test
  void aClientThatThrowsAtItsLastStartAnswersItsRequests() {
    Simulation.ofSeeds(1, 10)
        .run(
            system -> {
              ActorRef<ConnectionProtocol.Command> client = waitingClient(system);
              fail(system, ActorMoment.START);
              ReceiveReply reply = system.ask(client, me -> new ReceiveMessage(me));
              assertThat(reply).isInstanceOf(ReceiveFailed.class);
            });
  }

  /** The context ends while it opens a client. */
  @Test
  void anRdmaContextThatThrowsAtItsLastStartAnswersItsCommands() {
    Simulation.ofSeeds(1, 10)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = engine(system, "one");
              RdmaProtocol.OpenReply reply =
                  system.ask(engine, me -> new OpenRdma("rdma", RdmaOptions.defaults(), me));
              assertThat(reply).isInstanceOf(RdmaProtocol.Opened.class);
              ActorRef<RdmaProtocol.Command> context = ((RdmaProtocol.Opened) reply).context();
              fail(system, ActorMoment.START, 10); // more than its restarts
              SimulatedProbe<RdmaConnectionProtocol.OpenReply> answers = system.probe();
              RdmaClientOptions nobody = RdmaClientOptions.of("127.0.0.1", RdmaProgram.PORT);
              context.tell(new OpenRdmaClient("client", nobody, answers.ref()));
              context.<Object>unsafeUpcast().tell(PoisonSignal.NOW);
              assertThat(answers.receive()).isInstanceOf(RdmaConnectionProtocol.OpenFailed.class);
              system.settle();
              assertThat(answers.size()).isZero();
            });
  }
}
