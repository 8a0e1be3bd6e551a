package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Permission;
import io.dpuactors.engine.Engine;
import io.dpuactors.engine.EngineOptions;
import io.dpuactors.loop.EngineLoop;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.ExportPool;
import io.dpuactors.protocol.MemoryProtocol.ExportReply;
import io.dpuactors.protocol.MemoryProtocol.Exported;
import io.dpuactors.protocol.MemoryProtocol.ImportMemory;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests the death of a host of a simulation. */
class KillHostTest {
  private static final int SEEDS = 25;
  private static final int BEFORE = 5;
  private static final int REQUESTS = 20;
  private static final int BYTES = 4_096;
  private static final Duration PERIOD = Duration.ofSeconds(2);
  private static final Duration DEATH = Duration.ofNanos(WorldLoop.DEATH_NS);

  /** A peer detects the end of a host at once; stalls of single steps add to this time. */
  private static final Duration BOUND = Duration.ofSeconds(1);

  @Test
  void aClientEndsWithTheHostOfItsServer() {
    Simulation.ofSeeds(1, SEEDS).run(KillHostTest::clientOfAKilledHost);
  }

  private static void clientOfAKilledHost(SimulatedSystem system) {
    ActorRef<EngineProtocol.Command> far =
        system.engineOnOtherHost("far", EngineOptions.defaults());
    ActorRef<ConnectionProtocol.Command> connection = connect(system, far, system.engine("near"));
    SimulatedProbe<ConnectionEvent> events = system.probe();
    SimulatedProbe<SendReply> replies = system.probe();
    connection.tell(new Subscribe(events.ref(), REQUESTS));
    send(connection, 0, BEFORE, replies);
    for (int i = 0; i < BEFORE; i++) {
      events.receive(Message.class);
    }
    send(connection, BEFORE, REQUESTS / 2, replies);
    system.killHost(far);
    Duration death = system.now();
    send(connection, REQUESTS / 2, REQUESTS, replies);
    Set<Long> answered = new TreeSet<>();
    for (int i = 0; i < REQUESTS; i++) {
      answered.add(tag(replies.receive()));
    }
    assertThat(answered).as("one answer each").hasSize(REQUESTS);
    assertThat(end(events).error().orElseThrow().code()).isEqualTo(DocaCode.CONNECTION_RESET);
    assertThat(system.now().minus(death)).isLessThan(BOUND);
    system.settle();
    assertThat(replies.size()).as("second answers").isZero();
  }

  private static long tag(SendReply reply) {
    return reply instanceof Sent sent ? sent.tag() : ((ConnectionProtocol.SendFailed) reply).tag();
  }

  /** Returns the last event; the messages before it left the host in time. */
  private static Closed end(SimulatedProbe<ConnectionEvent> events) {
    ConnectionEvent event = events.receive();
    while (!(event instanceof Closed)) {
      event = events.receive();
    }
    return (Closed) event;
  }

  private static ActorRef<ConnectionProtocol.Command> connect(
      SimulatedSystem system,
      ActorRef<EngineProtocol.Command> far,
      ActorRef<EngineProtocol.Command> near) {
    system.<EngineProtocol.Command, ServerProtocol.OpenReply>ask(
        far,
        me ->
            new OpenComchServer(
                "server", ServerOptions.of(ComchProgram.SERVICE, KillHostTest::echo), me));
    ConnectionProtocol.OpenReply opened =
        system.ask(
            near, me -> new OpenComchClient("client", ClientOptions.of(ComchProgram.SERVICE), me));
    return ((ConnectionProtocol.Opened) opened).context();
  }

  private static Behavior<ConnectionEvent> echo(ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.receive(ConnectionEvent.class)
        .onMessage(
            Message.class,
            message -> {
              connection.tell(Send.orFail(message.bytes()));
              return Behaviors.same();
            })
        .onAnyMessage(event -> Behaviors.same())
        .build();
  }

  private static void send(
      ActorRef<ConnectionProtocol.Command> connection,
      int from,
      int to,
      SimulatedProbe<SendReply> replies) {
    for (int tag = from; tag < to; tag++) {
      connection.tell(new Send(new byte[] {(byte) tag}, tag, Optional.of(replies.ref())));
    }
  }

  @Test
  void copiesFromTheMemoryOfAKilledHostFail() {
    Simulation.ofSeeds(1, SEEDS).run(KillHostTest::importerOfAKilledHost);
  }

  private static void importerOfAKilledHost(SimulatedSystem system) {
    ActorRef<EngineProtocol.Command> far =
        system.engineOnOtherHost("far", EngineOptions.defaults());
    ActorRef<EngineProtocol.Command> near = system.engine("near");
    MemoryExport export = export(system, far);
    BufferPool there =
        opened(
            system.ask(
                near,
                me -> new ImportMemory(Optional.of("03:00.0"), export, 2, Optional.empty(), me)));
    BufferPool here =
        opened(
            system.ask(near, me -> new OpenPool(PoolOptions.of(2, BYTES).onDevice("03:00.0"), me)));
    TaskOptions once =
        TaskOptions.defaults().onDevice("03:00.0").withSupervision(SupervisorStrategy.stop());
    DmaProtocol.OpenReply dma = system.ask(near, me -> new OpenDma("dma", once, me));
    ActorRef<DmaProtocol.Command> context = ((DmaProtocol.Opened) dma).context();
    assertThat(copy(system, context, there, here)).isInstanceOf(Completed.class);
    system.killHost(far);
    Duration death = system.now();
    TaskReply failed = copy(system, context, there, here);
    assertThat(failed).isInstanceOf(Failed.class);
    assertThat(((Failed) failed).error().code()).isEqualTo(DocaCode.IO_FAILED);
    assertThat(system.now().minus(death)).isLessThan(BOUND);
  }

  private static MemoryExport export(SimulatedSystem system, ActorRef<EngineProtocol.Command> far) {
    PoolOptions options =
        PoolOptions.of(1, BYTES)
            .onDevice("81:00.0")
            .withPermissions(EnumSet.of(Permission.LOCAL_READ_WRITE, Permission.PCI_READ_WRITE));
    BufferPool pool = opened(system.ask(far, me -> new OpenPool(options, me)));
    ExportReply exported = system.ask(far, me -> new ExportPool(pool, me));
    return ((Exported) exported).export();
  }

  private static BufferPool opened(PoolReply reply) {
    return ((PoolOpened) reply).pool();
  }

  /** Copies all of the memory, and returns the buffers. */
  private static TaskReply copy(
      SimulatedSystem system,
      ActorRef<DmaProtocol.Command> context,
      BufferPool there,
      BufferPool here) {
    Buffer src = Objects.requireNonNull(there.lease());
    Buffer dst = Objects.requireNonNull(here.lease());
    src.aim(0, BYTES);
    TaskReply reply = system.ask(context, me -> new Copy(src, dst, me));
    src.release();
    dst.release();
    return reply;
  }

  @Test
  void theEngineOfAKilledHostReturnsWithoutItsContexts() {
    Simulation.ofSeeds(1, SEEDS)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = system.engine("one");
              TaskOptions once = TaskOptions.defaults().withSupervision(SupervisorStrategy.stop());
              DmaProtocol.OpenReply opened = system.ask(engine, me -> new OpenDma("dma", once, me));
              assertThat(opened).isInstanceOf(DmaProtocol.Opened.class);
              system.killHost(engine);
              system.killHost(engine); // no effect
              Duration death = system.now();
              assertThat(system.ask(engine, GetStatus::new)).isNotEqualTo(Status.ENDED);
              assertThat(system.now().minus(death)).isBetween(DEATH, DEATH.plus(BOUND));
              system.settle();
              DmaProtocol.OpenReply again = system.ask(engine, me -> new OpenDma("dma", once, me));
              assertThat(again).isInstanceOf(DmaProtocol.Opened.class);
            });
  }

  @Test
  void anEngineMayDieBeforeItHasADevice() {
    Simulation.ofSeeds(1, SEEDS)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = system.engine("one");
              system.killHost(engine);
              assertThat(system.ask(engine, GetStatus::new)).isNotEqualTo(Status.ENDED);
            });
  }

  @Test
  void theClockAndTheTimersOfADeadHostStandStill() {
    Simulation.ofSeeds(1, SEEDS)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = system.engine("one");
              SimulatedProbe<Long> clock = system.probe();
              system.spawn(
                  ticking(clock.ref()), "ticking", Engine.props(system.actorSystem(), "one"));
              long beforeNs = clock.receive();
              system.killHost(engine);
              Duration death = system.now();
              long passedNs = clock.receive() - beforeNs;
              Duration passed = system.now().minus(death);
              assertThat(passed).isBetween(DEATH, DEATH.plus(PERIOD).plus(BOUND));
              assertThat(passedNs).isBetween(PERIOD.toNanos(), PERIOD.plus(BOUND).toNanos());
            });
  }

  /** Reports the time of its engine at the begin, and after a period. */
  private static Behavior<Object> ticking(ActorRef<Long> replyTo) {
    return Behaviors.withTimers(
        timers -> {
          replyTo.tell(EngineLoop.current().clock().getAsLong());
          timers.startSingleTimer("tick", PERIOD);
          return Behaviors.receive(Object.class)
              .onAnyMessage(
                  tick -> {
                    replyTo.tell(EngineLoop.current().clock().getAsLong());
                    return Behaviors.stopped();
                  })
              .build();
        });
  }

  @Test
  void aFixedRateOfADeadHostDoesNotCatchUp() {
    Simulation.ofSeeds(1, SEEDS)
        .run(
            system -> {
              int[] ticks = new int[1];
              ActorRef<EngineProtocol.Command> engine = system.engine("one");
              ActorRef<String> counting =
                  system.spawn(
                      counting(ticks), "counting", Engine.props(system.actorSystem(), "one"));
              system.runFor(PERIOD.multipliedBy(3));
              system.killHost(engine);
              system.runFor(DEATH.plus(PERIOD.multipliedBy(3)));
              counting.tell("stop");
              system.settle();
              assertThat(ticks[0]).isBetween(5, 7);
            });
  }

  /** Counts the ticks of a fixed rate, until a message asks the actor to stop. */
  private static Behavior<String> counting(int[] ticks) {
    return Behaviors.withTimers(
        timers -> {
          timers.startTimerAtFixedRate("tick", PERIOD);
          return Behaviors.receive(String.class)
              .onMessageEquals("stop", Behaviors::stopped)
              .onAnyMessage(
                  tick -> {
                    ticks[0]++;
                    return Behaviors.same();
                  })
              .build();
        });
  }

  @Test
  void onlyScenariosWithTwoSidesKillHosts() {
    try (Simulator simulator = Simulator.create()) {
      assertThat(reached(simulator, "sync-event", 20, 40)).contains("KILL_HOST");
      assertThat(reached(simulator, "dma", 1, 20))
          .contains("KILL_ENGINE")
          .doesNotContain("KILL_HOST");
    }
  }

  private static Set<String> reached(Simulator simulator, String scenario, int from, int to) {
    Set<String> reached = new TreeSet<>();
    for (int seed = from; seed <= to; seed++) {
      Outcome outcome = simulator.run(scenario, seed, Reduction.NONE, null);
      assertThat(outcome.problem()).as("seed %d", seed).isEmpty();
      reached.addAll(outcome.reached().keySet());
    }
    return reached;
  }

  @Test
  void theSameSeedGivesTheSameDeath() {
    for (Consumer<SimulatedSystem> program :
        Set.<Consumer<SimulatedSystem>>of(
            KillHostTest::clientOfAKilledHost, KillHostTest::importerOfAKilledHost)) {
      long alone = Simulation.of(9).run(program).orElseThrow().hash();
      assertThat(Simulation.ofSeeds(5, 5).run(program).orElseThrow().hash()).isEqualTo(alone);
      assertThat(Simulation.of(8).run(program).orElseThrow().hash()).isNotEqualTo(alone);
    }
  }
}
