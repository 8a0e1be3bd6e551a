package io.dpuactors.simulation;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests the annotation {@link Simulated}. */
class SimulatedTest {
  private static final List<Long> RAN = new ArrayList<>();

  /** The seeds from 7 on fail. Only other tests of this class run it. */
  static class SeedsFrom7Fail {
    @Simulated(seeds = 10, from = 5)
    void seven(SimulatedSystem system) {
      RAN.add(system.seed());
      system.note("this is seed " + system.seed());
      assertThat(system.seed()).isLessThan(7);
    }
  }

  /** Only another test of this class runs it. */
  static class CheckedException {
    @Simulated(seeds = 2)
    void fails(SimulatedSystem system) throws IOException {
      throw new IOException("no file in seed " + system.seed());
    }
  }

  /** Only another test of this class runs it. */
  static class StagesOutside {
    @BeforeEach
    @AfterEach
    void stage() throws ExecutionException, InterruptedException, TimeoutException {
      Thread thread = CompletableFuture.supplyAsync(Thread::currentThread).get(10, SECONDS);
      assertThat(thread).isNotSameAs(Thread.currentThread());
    }

    @Simulated(seeds = 2)
    void inside(SimulatedSystem system) {
      CompletableFuture<Thread> stage = CompletableFuture.supplyAsync(Thread::currentThread);
      system.settle();
      assertThat(stage).isCompletedWithValue(Thread.currentThread());
    }
  }

  /** The even seeds are aborted. Only another test of this class runs it. */
  static class OddSeeds {
    @Simulated(seeds = 4)
    void odd(SimulatedSystem system) {
      system.engine("one");
      assumeTrue(system.seed() % 2 == 1, "an odd seed");
      system.settle();
    }
  }

  /** Only another test of this class runs it. */
  static class NoSettings {
    @Simulated(seeds = 3, config = "no-such.conf")
    void none(SimulatedSystem system) {
      RAN.add(system.seed());
    }
  }

  private record Ended(String name, TestExecutionResult result) {}

  @Simulated(seeds = 3)
  void aSeedIsAnInvocation(SimulatedSystem system, TestInfo info) {
    assertThat(info.getDisplayName()).isEqualTo("seed " + system.seed());
    assertThat(system.seed()).isBetween(1L, 3L);
  }

  @Simulated(seeds = 2, config = "simulated-user.conf")
  void theSettingsOfTheUserHold(SimulatedSystem system) {
    SimulatedProbe<String> probe = system.probe();
    system
        .spawn(
            Behaviors.<String>receiveMessage(
                text -> {
                  probe.ref().tell(text);
                  return Behaviors.same();
                }),
            "echo",
            DispatcherSelector.fromConfig("user.pool"))
        .tell(system.actorSystem().settings().config().getString("user.name"));
    assertThat(probe.receive()).isEqualTo("echo");
  }

  @Test
  void settingsThatDoNotExistAreAnError() {
    List<Ended> ended = execute(NoSettings.class, Map.of());
    assertThat(RAN).isEmpty();
    assertThat(ended).extracting(Ended::name).containsExactly("seed 1");
    assertThat(ended.get(0).result().getThrowable().orElseThrow())
        .hasMessageContaining("no-such.conf");
  }

  @Test
  void theFirstFailureIsTheLastSeed() {
    List<Ended> ended = execute(SeedsFrom7Fail.class, Map.of());
    assertThat(RAN).containsExactly(5L, 6L, 7L);
    assertThat(ended).extracting(Ended::name).containsExactly("seed 5", "seed 6", "seed 7");
    assertThat(ended.get(1).result().getThrowable()).isEmpty();
    assertThat(ended.get(2).result().getThrowable().orElseThrow())
        .isInstanceOf(SimulationFailedError.class)
        .hasMessageContaining("seed 7: ")
        .hasMessageContaining(
            "replay: JAVA_HOME=%s, -Dsimulation.seed=7", System.getProperty("java.home"));
  }

  @Test
  void anAssumptionAbortsItsSeedOnly() {
    List<Ended> ended = execute(OddSeeds.class, Map.of());
    assertThat(ended)
        .extracting(one -> one.result().getStatus())
        .containsExactly(Status.SUCCESSFUL, Status.ABORTED, Status.SUCCESSFUL, Status.ABORTED);
  }

  @Test
  void aCheckedExceptionFailsItsSeed() {
    List<Ended> ended = execute(CheckedException.class, Map.of());
    assertThat(ended).hasSize(1);
    assertThat(ended.get(0).result().getThrowable().orElseThrow())
        .isInstanceOf(SimulationFailedError.class)
        .hasMessageContaining("seed 1: java.io.IOException: no file in seed 1");
  }

  @Test
  void stagesRunInTheWorldOnlyDuringARun() {
    List<Ended> ended = execute(StagesOutside.class, Map.of());
    assertThat(ended).hasSize(2);
    assertThat(ended).allSatisfy(one -> assertThat(one.result().getThrowable()).isEmpty());
  }

  @Test
  void aPropertyChoosesOneSeedAndItsTrace(@TempDir Path folder) throws IOException {
    Path trace = folder.resolve("trace.txt");
    List<Ended> ended =
        execute(
            SeedsFrom7Fail.class,
            Map.of("simulation.seed", "6", "simulation.trace", trace.toString()));
    assertThat(ended).extracting(Ended::name).containsExactly("seed 6");
    assertThat(Files.readString(trace)).contains("this is seed 6");
  }

  private static List<Ended> execute(Class<?> tests, Map<String, String> parameters) {
    RAN.clear();
    List<Ended> ended = new ArrayList<>();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameters(parameters)
                .build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                  ended.add(new Ended(test.getDisplayName(), result));
                }
              }
            });
    return ended;
  }
}
