package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests runs that stop their actor system. */
class SystemStopTest {
  private static final int DRAWS = 2_000;

  private final Run run = Runs.of(new StillControl());
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

  private Set<Disturbance> drawn(Function<List<String>, Disturbances> draw) {
    Set<Disturbance> drawn = EnumSet.noneOf(Disturbance.class);
    for (int i = 0; i < DRAWS; i++) {
      BehaviorTestKit<Object> program =
          BehaviorTestKit.create(
              Behaviors.setup(
                  context -> {
                    draw.apply(List.of("busy")).schedule(context);
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
    assertThat(drawn(states -> Disturbances.draw(run, states))).isEqualTo(noHosts);
    assertThat(drawn(states -> Disturbances.drawForHosts(run, states)))
        .isEqualTo(EnumSet.allOf(Disturbance.class));
    assertThat(drawn(states -> Disturbances.drawForUser(run, states))).isEqualTo(noSystem);
  }
}
