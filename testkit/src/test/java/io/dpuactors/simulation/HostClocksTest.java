package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.engine.Engine;
import io.dpuactors.engine.EngineOptions;
import io.dpuactors.loop.EngineLoop;
import io.dpuactors.loop.SchedulerClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests the clocks of the hosts of a simulation. */
class HostClocksTest {
  /** The clocks of an engine and of the scheduler at one time. */
  private record Times(long engineNs, long schedulerNs) {}

  @Test
  void anotherHostHasAnotherClock() {
    Simulation.of(1)
        .run(
            system -> {
              system.engine("own");
              system.engineOnOtherHost("other", EngineOptions.defaults());
              Times own = times(system, "own");
              assertThat(own.engineNs()).isEqualTo(own.schedulerNs());
              Times other = times(system, "other");
              assertThat(Math.abs(other.engineNs() - other.schedulerNs()))
                  .isGreaterThan(Duration.ofSeconds(1).toNanos());
            });
  }

  @Test
  void allClocksHaveTheRateOfTheVirtualTime() {
    Simulation.of(1)
        .run(
            system -> {
              system.engineOnOtherHost("other", EngineOptions.defaults());
              Duration begin = system.now();
              Times first = times(system, "other");
              system.runFor(Duration.ofSeconds(3));
              Times second = times(system, "other");
              long passedNs = system.now().minus(begin).toNanos();
              assertThat(second.engineNs() - first.engineNs()).isBetween(3_000_000_000L, passedNs);
              assertThat(second.schedulerNs() - first.schedulerNs())
                  .isEqualTo(second.engineNs() - first.engineNs());
            });
  }

  @Test
  void aClockHasAnyTime() {
    List<Long> begins = new ArrayList<>();
    Simulation.ofSeeds(1, 30)
        .run(
            system -> {
              system.engine("own");
              begins.add(times(system, "own").engineNs());
            });
    assertThat(begins)
        .anyMatch(ns -> ns > 0 && ns < Long.MAX_VALUE / 2)
        .anyMatch(ns -> ns < -1_000_000_000L)
        .anyMatch(ns -> ns > -1_000_000_000L && ns < 0)
        .anyMatch(ns -> ns > Long.MAX_VALUE - 1_000_000_000L);
  }

  private static Times times(SimulatedSystem system, String engine) {
    SimulatedProbe<Times> probe = system.probe();
    system.spawn(
        reader(probe.ref()),
        "reader-" + engine + system.now().toNanos(),
        Engine.props(system.actorSystem(), engine));
    return probe.receive();
  }

  private static Behavior<Void> reader(ActorRef<Times> replyTo) {
    return Behaviors.setup(
        context -> {
          var scheduler = Adapter.toClassic(context.getSystem()).scheduler();
          replyTo.tell(
              new Times(
                  EngineLoop.current().clock().getAsLong(),
                  SchedulerClock.of(scheduler).getAsLong()));
          return Behaviors.stopped();
        });
  }
}
