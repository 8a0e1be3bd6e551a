package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.engine.DpuActors;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests runs that stop their actor system. */
class SystemStopTest {
  private static final int DRAWS = 500;

  /** A seed of each scenario that stops the system. */
  private static final long STOP = 88;

  private final List<ActorSystem<?>> systems = new ArrayList<>();
  private final List<String> ends = new ArrayList<>();

  private void stopSystem(SimulatedSystem simulated) {
    systems.add(simulated.actorSystem());
    simulated.spawn(
        Behaviors.receive(Object.class)
            .onSignal(
                PostStop.class,
                stop -> {
                  ends.add("stopped");
                  return Behaviors.same();
                })
            .build(),
        "actor");
    simulated.actorSystem().terminate();
    simulated.settle();
  }

  /** A run depends on its seed only, so the new actor system changes nothing. */
  @Test
  void theNextRunHasAnotherActorSystem() {
    try (Simulator simulator = Simulator.create()) {
      Outcome before = simulator.run("comch", 2, Reduction.NONE, null);
      for (int i = 0; i < 2; i++) {
        Outcome stop = simulator.require(ProgramScenario.of("", this::stopSystem), 1, null);
        assertThat(stop.problem()).isEmpty();
      }
      assertThat(ends).containsExactly("stopped", "stopped");
      assertThat(systems.get(0)).isNotSameAs(systems.get(1));
      Outcome after = simulator.run("comch", 2, Reduction.NONE, null);
      assertThat(after).isEqualTo(before);
    }
  }

  /** Callers, clients and connections of these seeds hold buffers when the system stops. */
  @ParameterizedTest
  @CsvSource({"sha, 88", "compress, 575", "batches, 73", "group, 65", "comch, 65", "rdma, 65"})
  void aSeedThatStopsTheSystemKeepsThePromisesAfterOthersToo(String scenario, long seed) {
    Outcome alone = runStop(scenario, seed, List.of());
    assertThat(alone.problem()).isEmpty();
    assertThat(runStop(scenario, seed, List.of("dma", "comch"))).isEqualTo(alone);
  }

  /** Runs the seed after a stop in other scenarios. */
  private static Outcome runStop(String scenario, long seed, List<String> others) {
    try (Simulator simulator = Simulator.create()) {
      others.forEach(other -> assertStops(simulator.run(other, STOP, Reduction.NONE, null)));
      Outcome outcome = simulator.run(scenario, seed, Reduction.NONE, null);
      assertStops(outcome);
      return outcome;
    }
  }

  private static void assertStops(Outcome outcome) {
    assertThat(outcome.reached()).containsKey(Disturbance.STOP_SYSTEM.name());
  }

  private static String problem(Config config, Consumer<SimulatedSystem> body) {
    try (Simulator simulator = Simulator.create(config)) {
      Throwable failure =
          catchThrowable(() -> simulator.require(ProgramScenario.of("", body), 1, null));
      assertThat(failure).isInstanceOf(SimulationFailedError.class);
      return String.valueOf(failure.getMessage());
    }
  }

  @Test
  void aLeaseThatIsLeftAfterTheStopFailsTheRun() {
    String problem =
        problem(
            ConfigFactory.empty(),
            simulated -> {
              var engine = DpuActors.get(simulated.actorSystem()).engine();
              PoolReply pool = simulated.ask(engine, me -> new OpenPool(PoolOptions.of(1, 64), me));
              assertThat(((PoolOpened) pool).pool().lease()).isNotNull();
              stopSystem(simulated);
            });
    assertThat(problem).contains("stopped with open resources: 1 LEASE lost");
  }

  @Test
  void aSystemThatDoesNotStopFailsTheRun() {
    String phase = CoordinatedShutdown.PhaseServiceStop();
    String noRecovery = "pekko.coordinated-shutdown.phases." + phase + ".recover = off";
    String problem =
        problem(
            ConfigFactory.parseString(noRecovery),
            simulated -> {
              CoordinatedShutdown.get(simulated.actorSystem())
                  .addTask(phase, "fail", () -> CompletableFuture.failedFuture(new IOException()));
              stopSystem(simulated);
            });
    assertThat(problem).contains("the actor system did not stop");
  }

  @Test
  void theStopOfTheSystemTakesNoRandomNumber() {
    for (int seed = 1; seed <= DRAWS; seed++) {
      Run scenario = Runs.of(new StillControl(), seed);
      Run user = Runs.of(new StillControl(), seed);
      Disturbances.drawForHosts(scenario, List.of("busy"));
      Disturbances.drawForUser(user, List.of("busy"));
      assertThat(scenario.draw(0, Short.MAX_VALUE)).isEqualTo(user.draw(0, Short.MAX_VALUE));
    }
  }

  private static Set<Disturbance> drawn(BiFunction<Run, List<String>, Disturbances> draw) {
    Set<Disturbance> drawn = EnumSet.noneOf(Disturbance.class);
    for (int seed = 1; seed <= DRAWS; seed++) {
      Run run = Runs.of(new StillControl(), seed);
      BehaviorTestKit<Object> program =
          BehaviorTestKit.create(
              Behaviors.setup(
                  context -> {
                    draw.apply(run, List.of("busy")).schedule(context);
                    return Behaviors.empty();
                  }));
      program.getAllEffects().stream()
          .filter(Effect.Scheduled.class::isInstance)
          .map(effect -> (Disturb) ((Effect.Scheduled<?>) effect).message())
          .forEach(disturb -> drawn.add(disturb.what()));
    }
    return drawn;
  }

  @Test
  void scenariosStopTheSystemAndProgramsOfUsersDoNot() {
    EnumSet<Disturbance> noHosts = EnumSet.complementOf(EnumSet.of(Disturbance.KILL_HOST));
    EnumSet<Disturbance> noSystem = EnumSet.complementOf(EnumSet.of(Disturbance.STOP_SYSTEM));
    assertThat(drawn(Disturbances::draw)).isEqualTo(noHosts);
    assertThat(drawn(Disturbances::drawForHosts)).isEqualTo(EnumSet.allOf(Disturbance.class));
    assertThat(drawn(Disturbances::drawForUser)).isEqualTo(noSystem);
  }
}
