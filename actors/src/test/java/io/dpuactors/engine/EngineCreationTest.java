package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol.Command;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.EmptyLocalActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.SpawnProtocol;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the ways to start an engine without an ActorContext, and its end with the actor system. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EngineCreationTest {
  private static final Config CONFIG =
      ConfigFactory.load(ConfigFactory.parseResources("application-test.conf"));
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @Test
  void theTestKitSpawnsAnEngine() {
    ActorTestKit kit = ActorTestKit.create("creation", CONFIG);
    try {
      ActorRef<Command> engine =
          kit.spawn(Engine.create(), "engine", Engine.props(kit.system(), "engine"));
      assertRuns(engine, kit.system());
    } finally {
      kit.shutdownTestKit();
    }
  }

  @Test
  void spawnProtocolSpawnsAnEngine() throws Exception {
    assertRuns(system -> spawn(system, "engine"));
  }

  @Test
  @ExpectedLog("doca_pe_create: DOCA_ERROR_NO_MEMORY")
  void anEngineThatCannotStartRefusesRequestsWithTheCause() {
    FreshSoftDpu.DEVICE.faults("alloc-engine:fail:first=1");
    ActorTestKit kit = ActorTestKit.create("creation", CONFIG);
    try {
      ActorRef<Command> engine =
          kit.spawn(Engine.create(), "engine", Engine.props(kit.system(), "engine"));
      TestProbe<DmaProtocol.OpenReply> replies = kit.createTestProbe();
      engine.tell(new OpenDma("early", TaskOptions.defaults(), replies.getRef()));
      assertHasCause(replies.receiveMessage());
      replies.expectTerminated(engine);
      engine.tell(new OpenDma("late", TaskOptions.defaults(), replies.getRef()));
      assertHasCause(replies.receiveMessage());
      assertRuns(
          kit.spawn(Engine.create(), "next", Engine.props(kit.system(), "next")), kit.system());
    } finally {
      kit.shutdownTestKit();
    }
  }

  private static void assertHasCause(DmaProtocol.OpenReply reply) {
    assertThat(reply).isInstanceOf(DmaProtocol.OpenFailed.class);
    DocaError error = ((DmaProtocol.OpenFailed) reply).error();
    assertThat(error.code()).isEqualTo(DocaCode.SHUTDOWN);
    assertThat(error.about()).contains("could not start", "DOCA_ERROR_NO_MEMORY");
  }

  private static ActorRef<Command> spawn(ActorSystem<SpawnProtocol.Command> system, String name) {
    return AskPattern.<SpawnProtocol.Command, ActorRef<Command>>ask(
            system,
            me -> new SpawnProtocol.Spawn<>(Engine.create(), name, Engine.props(system, name), me),
            LIMIT,
            system.scheduler())
        .toCompletableFuture()
        .join();
  }

  @Test
  void theExtensionHasOneDefaultEngine() throws Exception {
    assertRuns(
        system -> {
          ActorRef<Command> engine = DpuActors.get(system).engine();
          assertThat(DpuActors.get(system).engine()).isEqualTo(engine);
          return engine;
        });
  }

  /** Asserts that the engine of a new system runs, and ends the system. */
  private static void assertRuns(
      Function<ActorSystem<SpawnProtocol.Command>, ActorRef<Command>> engineOf) throws Exception {
    ActorSystem<SpawnProtocol.Command> system =
        ActorSystem.create(SpawnProtocol.create(), "creation", CONFIG);
    try {
      assertRuns(engineOf.apply(system), system);
    } finally {
      end(system);
    }
  }

  @Test
  void enginesStopCleanlyBeforeTheirActorSystem() throws Exception {
    ActorSystem<SpawnProtocol.Command> system =
        ActorSystem.create(SpawnProtocol.create(), "creation", CONFIG);
    ActorRef<Command> engine = DpuActors.get(system).engine();
    assertRuns(engine, system);
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "ask-the-engine",
            () ->
                status(engine, system)
                    .handle(
                        (status, failure) -> {
                          ended.complete(failure != null || status.equals(Status.ENDED));
                          return Done.getInstance();
                        }));
    end(system);
    assertThat(ended.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  /** An engine that starts while others are asked to stop ends with the actor system. */
  @Test
  void theShutdownDoesNotWaitForAnEngineThatStartsLater() throws Exception {
    ActorSystem<SpawnProtocol.Command> system =
        ActorSystem.create(SpawnProtocol.create(), "creation", CONFIG);
    DpuActors engines = DpuActors.get(system);
    ExtendedActorSystem classic = (ExtendedActorSystem) Adapter.toClassic(system);
    CompletableFuture<Object> asked = new CompletableFuture<>();
    engines.started(
        Adapter.toTyped(
            new EmptyLocalActorRef(
                classic.provider(),
                classic.provider().rootPath().$div("first"),
                classic.eventStream()) {
              private static final long serialVersionUID = 1L;

              @Override
              public void $bang(Object message, org.apache.pekko.actor.ActorRef sender) {
                engines.started(system.<Command>deadLetters());
                engines.contextsEnded(Adapter.toTyped(this));
                asked.complete(message);
              }
            }));
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(10, TimeUnit.SECONDS);
    assertThat(asked).isCompletedWithValue(EngineMessage.ShutDown.INSTANCE);
  }

  /** Another library's reference.conf may hide the order of phases. */
  @Test
  void withoutAPhaseOfTheirOwnEnginesStopInTheLastPhase() throws Exception {
    String last = CoordinatedShutdown.PhaseBeforeActorSystemTerminate();
    Config hidden =
        ConfigFactory.parseString(
                "pekko.coordinated-shutdown.phases." + last + ".depends-on = [cluster-shutdown]")
            .withFallback(CONFIG);
    assertThat(DpuActors.phase(hidden)).isEqualTo(last);
    assertThat(DpuActors.phase(CONFIG)).isEqualTo("dpu-engines");
    ActorSystem<SpawnProtocol.Command> system =
        ActorSystem.create(SpawnProtocol.create(), "creation", hidden);
    ActorRef<Command> engine = DpuActors.get(system).engine();
    assertRuns(engine, system);
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    CoordinatedShutdown.get(system)
        .addTask(
            last,
            "await-the-engine",
            () -> awaitEnd(engine, system, ended, System.nanoTime() + LIMIT.toNanos()));
    end(system);
    assertThat(ended.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  /** Asks until the engine has ended; the phase lasts until the answer. */
  private static CompletionStage<Done> awaitEnd(
      ActorRef<Command> engine,
      ActorSystem<?> system,
      CompletableFuture<Boolean> ended,
      long untilNs) {
    return status(engine, system)
        .handle((status, failure) -> failure != null || status.equals(Status.ENDED))
        .thenCompose(
            over -> {
              if (!over && System.nanoTime() < untilNs) {
                return CompletableFuture.supplyAsync(
                        Done::getInstance,
                        CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS))
                    .thenCompose(done -> awaitEnd(engine, system, ended, untilNs));
              }
              ended.complete(over);
              return CompletableFuture.completedStage(Done.getInstance());
            });
  }

  @Test
  void theThreadHasItsNameItsCpuAndItsPriority() throws Exception {
    ActorTestKit kit = ActorTestKit.create("creation", CONFIG);
    try {
      int cpu = allowedCpu();
      EngineOptions options =
          EngineOptions.defaults().withThreadName("pinned").withCpu(cpu).withPriority(7);
      ActorRef<Command> engine =
          kit.spawn(Engine.create(options), "engine", Engine.props(kit.system(), "engine"));
      assertRuns(engine, kit.system());
      Path thread = thread("pinned");
      assertThat(Files.readAllLines(thread.resolve("status")))
          .contains("Cpus_allowed_list:\t" + cpu);
      String stat = Files.readString(thread.resolve("stat"));
      List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
      assertThat(fields.get(16)).isEqualTo("7"); // field 19 of proc(5), counted from field 3
    } finally {
      kit.shutdownTestKit();
    }
  }

  @Test
  void anInvalidCpuOfTheConfigurationIsRefusedBeforeTheSpawn() {
    Config config = ConfigFactory.parseString("dpu.engine.cpu = abc").withFallback(CONFIG);
    ActorTestKit kit = ActorTestKit.create("creation", config);
    try {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Engine.props(kit.system(), "engine"))
          .withMessageContaining("dpu.engine.cpu");
    } finally {
      kit.shutdownTestKit();
    }
  }

  @Test
  @ExpectedLog("dpu.engine.cpu is 4095; Linux refuses it: errno 22")
  void anEngineOnACpuThatIsNotThereFailsAtItsStart() {
    ActorTestKit kit = ActorTestKit.create("creation", CONFIG);
    try {
      ActorRef<Command> engine =
          kit.spawn(
              Engine.create(EngineOptions.defaults().withCpu(4095)),
              "engine",
              Engine.props(kit.system(), "engine"));
      kit.createTestProbe().expectTerminated(engine, LIMIT);
    } finally {
      kit.shutdownTestKit();
    }
  }

  private static void assertRuns(ActorRef<Command> engine, ActorSystem<?> system) {
    assertThat(status(engine, system).toCompletableFuture().join().library())
        .isEqualTo("software DPU");
  }

  private static CompletionStage<Status> status(ActorRef<Command> engine, ActorSystem<?> system) {
    return AskPattern.ask(engine, GetStatus::new, LIMIT, system.scheduler());
  }

  private static void end(ActorSystem<?> system) throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static int allowedCpu() throws IOException {
    String list =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("Cpus_allowed_list:"))
            .findFirst()
            .orElseThrow();
    return Integer.parseInt(list.replaceAll("^\\S+\\s+(\\d+).*$", "$1"));
  }

  private static Path thread(String name) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
      return threads
          .filter(one -> name.equals(comm(one)))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no thread " + name));
    }
  }

  private static String comm(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).strip();
    } catch (IOException e) {
      return ""; // the thread has ended
    }
  }
}
