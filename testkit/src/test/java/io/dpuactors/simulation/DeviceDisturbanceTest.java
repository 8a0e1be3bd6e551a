package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dpuactors.loop.ActorMoment;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.Stop;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the disturbances of the clock, and of the turns, the waits and the actors of engines. */
class DeviceDisturbanceTest {
  private final StillControl control = new StillControl();
  private final Run run = Runs.of(control);

  @Test
  void eachDisturbanceHasItsEffect() {
    run.disturbDevice(new Disturb(Disturbance.JUMP_CLOCK, "", "", 0));
    assertThat(control.jumpedNs).isBetween(1_000_000L, 1_000_000_000L);
    assertThat(control.failedTurns).isZero();
    run.disturbDevice(new Disturb(Disturbance.FAIL_TURNS, "", "", 0));
    assertThat(control.failedTurns).isBetween(1, 6);
    assertThat(control.failedWaits).isZero();
    run.disturbDevice(new Disturb(Disturbance.FAIL_WAITS, "", "", 0));
    assertThat(control.failedWaits).isBetween(1, 6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> run.disturbDevice(new Disturb(Disturbance.STOP_ENGINE, "", "", 0)))
        .withMessageContaining("STOP_ENGINE");
  }

  /** The message to the target leads to the moment. */
  @Test
  void actorsOfTheLibraryThrowAtEachMoment() {
    Object broken = "broken";
    assertThat(failing(Disturbance.FAIL_STOP, broken)).isEqualTo(new Stop());
    assertThat(control.failedActors).containsOnlyKeys(ActorMoment.STOP);
    assertThat(failing(Disturbance.FAIL_RESTART, broken)).isSameAs(broken);
    assertThat(control.failedActors).containsOnlyKeys(ActorMoment.STOP, ActorMoment.RESTART);
    Set<Object> messages = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      messages.add(failing(Disturbance.FAIL_START, broken));
    }
    assertThat(messages).containsExactlyInAnyOrder(new Stop(), broken);
    messages.clear();
    for (int i = 0; i < 50; i++) {
      messages.add(failing(Disturbance.FAIL_SUBMIT, broken));
    }
    assertThat(messages).containsExactlyInAnyOrder(new Stop(), broken);
    assertThat(control.failedActors).containsOnlyKeys(ActorMoment.values());
    assertThat(control.failedActors.get(ActorMoment.STOP)).isBetween(1, 6);
  }

  private Object failing(Disturbance what, Object broken) {
    return new Disturb(what, "", "", 0).failing(run, broken);
  }

  @Test
  void noSecondEngineEndsWhileOneWaits() {
    control.isEngineWaiting = true;
    assertThat(waits(Disturbance.KILL_ENGINE)).isTrue();
    assertThat(waits(Disturbance.BREAK_ENGINE)).isTrue();
    assertThat(waits(Disturbance.KILL_HOST)).isTrue();
    assertThat(waits(Disturbance.FAIL_TURNS)).isTrue();
    assertThat(waits(Disturbance.FAIL_WAITS)).isTrue();
    assertThat(waits(Disturbance.FAIL_SUBMIT)).isTrue();
    assertThat(waits(Disturbance.STOP_ENGINE)).isFalse();
    control.isEngineWaiting = false;
    assertThat(waits(Disturbance.KILL_ENGINE)).isFalse();
  }

  private boolean waits(Disturbance what) {
    List<Boolean> results = new ArrayList<>();
    BehaviorTestKit.create(
        Behaviors.<Object>setup(
            context -> {
              results.add(new Disturb(what, "", "", 0).waits(run, "", context));
              return Behaviors.empty();
            }));
    return results.get(0);
  }

  @Test
  void theNextStepTakesTheTimeOfAJump() {
    Simulation.of(1)
        .run(
            system -> {
              Duration before = system.now();
              World.current().control().jump(700_000_000);
              system.engine("one");
              system.settle();
              assertThat(system.now().minus(before)).isBetween(ms(700), ms(900));
            });
  }

  private static Duration ms(long number) {
    return Duration.ofMillis(number);
  }

  @ParameterizedTest
  @CsvSource({"3, false", "4, true"})
  void anEngineEndsAfterFourFailedTurns(int turns, boolean ends) {
    Simulation.of(1)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = failTurns(system, turns);
              assertThat(system.ask(engine, GetStatus::new).equals(Status.ENDED)).isEqualTo(ends);
            });
  }

  /** An idle engine retries after 1, 10 and 100 ms, and needs no message for that. */
  @ParameterizedTest
  @CsvSource({"3, false", "4, true"})
  void anIdleEngineEndsAfterFourFailedWaits(int waits, boolean ends) {
    Simulation.of(1)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = system.engine("one");
              system.ask(engine, GetStatus::new);
              system.settle();
              system.expectLog(Poison.TEXT);
              World.current().control().failWaits(waits);
              system.ask(engine, GetStatus::new);
              Duration before = system.now();
              system.settle();
              assertThat(system.now().minus(before)).isGreaterThan(ms(110));
              assertThat(system.ask(engine, GetStatus::new).equals(Status.ENDED)).isEqualTo(ends);
            });
  }

  private static ActorRef<EngineProtocol.Command> failTurns(SimulatedSystem system, int turns) {
    ActorRef<EngineProtocol.Command> engine = system.engine("one");
    system.ask(engine, GetStatus::new);
    system.expectLog(Poison.TEXT);
    World.current().control().failTurns(turns);
    for (int i = 0; i < turns; i++) {
      system.ask(engine, GetStatus::new);
      system.runFor(ms(200));
    }
    return engine;
  }
}
