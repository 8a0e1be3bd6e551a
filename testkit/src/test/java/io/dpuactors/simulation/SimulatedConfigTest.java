package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests the settings of a user in a simulation. */
class SimulatedConfigTest {
  private static final Config USER =
      ConfigFactory.parseString(
          """
          user.name = echo
          user.pool {
            type = PinnedDispatcher
            executor = thread-pool-executor
            throughput = 100
          }
          user.pool-only.executor = thread-pool-executor
          user.class-only.executor = org.apache.pekko.dispatch.ForkJoinExecutorConfigurator
          user.pinned-only.type = PinnedDispatcher
          user.job.executor = nightly
          user.copy = ${pekko.actor.default-dispatcher}
          user.mailbox = ${pekko.actor.mailbox}
          pekko.actor.default-dispatcher.executor = fork-join-executor
          pekko.scheduler.implementation = none
          """);

  private static final List<String> DISPATCHERS =
      List.of("user.pool", "user.pool-only", "user.class-only", "user.pinned-only", "user.copy");

  @Test
  void theUsersDispatchersRunInTheSimulation() {
    for (String dispatcher : DISPATCHERS) {
      List<String> received = new ArrayList<>();
      Simulation.ofSeeds(1, 3)
          .config(USER)
          .run(
              system -> {
                SimulatedProbe<String> probe = system.probe();
                system
                    .spawn(
                        Behaviors.<String>receive(
                            (me, text) -> {
                              probe.ref().tell(text + " on " + Thread.currentThread().getId());
                              return Behaviors.same();
                            }),
                        "echo",
                        DispatcherSelector.fromConfig(dispatcher))
                    .tell(system.actorSystem().settings().config().getString("user.name"));
                received.add(probe.receive());
              });
      assertThat(received).containsOnly("echo on " + Thread.currentThread().getId()).hasSize(3);
    }
  }

  @Test
  void theSettingsOfTheSimulationHavePrecedence() {
    Config config = SimulatedConfig.of(USER.withFallback(ConfigFactory.load()));
    assertThat(config.getString("user.pool.executor")).isEqualTo(WorldDispatcher.class.getName());
    assertThat(config.getInt("user.pool.throughput")).isEqualTo(1);
    assertThat(config.getString("user.job.executor")).isEqualTo("nightly"); // no dispatcher
    assertThat(config.getString("pekko.scheduler.implementation"))
        .isEqualTo(WorldScheduler.class.getName());
    assertThat(config.getString("pekko.actor.default-dispatcher.executor"))
        .isEqualTo(WorldDispatcher.class.getName());
  }

  @Test
  void withoutSettingsOfAUserNothingChanges() {
    assertThat(SimulatedConfig.of(ConfigFactory.empty()))
        .isEqualTo(
            ConfigFactory.parseResources("simulation.conf")
                .withFallback(ConfigFactory.defaultReference())
                .resolve());
  }
}
