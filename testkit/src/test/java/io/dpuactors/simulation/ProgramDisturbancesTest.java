package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.TaskOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests disturbances of a user's code. */
class ProgramDisturbancesTest {
  private static final int SEEDS = 40;

  /** Disturbances may end an engine and its context; the end of a run accepts that. */
  @Test
  void someRunsAreDisturbedAndTheOthersAreCalm() {
    List<Boolean> disturbed = new ArrayList<>();
    List<Boolean> ended = new ArrayList<>();
    Simulation.ofSeeds(1, SEEDS)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = system.engine("one");
              CompressProtocol.OpenReply opened =
                  system.ask(engine, me -> new OpenCompress("tasks", TaskOptions.defaults(), me));
              ActorRef<?> context = ((CompressProtocol.Opened) opened).context();
              system.target(context);
              SimulatedProbe<String> ends = system.probe();
              system.spawn(
                  Behaviors.setup(
                      watcher -> {
                        watcher.watch(context);
                        return Behaviors.receive(Object.class)
                            .onSignal(
                                Terminated.class,
                                end -> {
                                  ends.ref().tell("ended");
                                  return Behaviors.stopped();
                                })
                            .build();
                      }),
                  "watcher");
              boolean isDisturbed = system.disturb(List.of("idle"), () -> "idle");
              system.settle();
              assertThat(isDisturbed || ends.size() == 0).as("the end of a calm run").isTrue();
              disturbed.add(isDisturbed);
              ended.add(ends.size() > 0);
            });
    assertThat(disturbed).hasSize(SEEDS).contains(true, false);
    assertThat(ended).contains(true, false);
  }

  @Test
  void theActorsOfTheLibraryThrowInSomeRuns() {
    ProgramScenario scenario =
        ProgramScenario.of(
            "",
            system -> {
              ActorRef<EngineProtocol.Command> engine = system.engine("one");
              CompressProtocol.OpenReply opened =
                  system.ask(engine, me -> new OpenCompress("tasks", TaskOptions.defaults(), me));
              system.target(((CompressProtocol.Opened) opened).context());
              system.disturb(List.of("idle"), () -> "idle");
            });
    Set<String> reached = new TreeSet<>();
    try (Simulator simulator = Simulator.create()) {
      for (long seed = 1; seed <= 400; seed++) {
        reached.addAll(simulator.require(scenario, seed, null).reached().keySet());
      }
    }
    assertThat(reached).contains("FAIL_START", "FAIL_STOP", "FAIL_RESTART", "FAIL_SUBMIT");
  }

  @Test
  void theBehaviorOfAUserThrowsInDisturbedRuns() {
    Behavior<Object> behavior = Behaviors.receiveMessage(message -> Behaviors.same());
    Set<String> reached = new TreeSet<>();
    try (Simulator simulator = Simulator.create()) {
      for (long seed = 1; seed <= 100; seed++) {
        Outcome outcome = simulator.require(failing(behavior), seed, null);
        reached.addAll(outcome.reached().keySet());
      }
    }
    assertThat(reached)
        .contains(
            "behavior throws at start", "behavior throws at stop", "behavior throws at message");
  }

  private static ProgramScenario failing(Behavior<Object> behavior) {
    return ProgramScenario.of(
        "",
        system -> {
          system.engine("one");
          boolean isDisturbed = system.disturb(List.of("idle"), () -> "idle");
          Behavior<Object> sometimes = system.failing(Object.class, behavior);
          assertThat(sometimes != behavior).isEqualTo(isDisturbed);
          for (int i = 0; i < 20; i++) {
            ActorRef<Object> actor = system.spawn(sometimes, "actor-" + i);
            for (int message = 0; message < 5; message++) {
              actor.tell("message " + message);
            }
          }
          system.settle();
        });
  }

  @Test
  void aFailureFromAnActorFailsTheRun() {
    assertThat(
            catchThrowable(() -> Simulation.of(1).run(system -> system.fail("the model differs"))))
        .isInstanceOf(SimulationFailedError.class)
        .hasMessageContaining("the model differs");
  }
}
