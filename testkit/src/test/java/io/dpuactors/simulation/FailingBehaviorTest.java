package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.simulation.FailingBehavior.Moment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests the behaviors that sometimes throw. */
class FailingBehaviorTest {
  private static final int ACTORS = 1_000;

  private final Run run = Runs.of(new StillControl());
  private final List<Object> handled = new ArrayList<>();
  private int failures;

  private final Behavior<Object> behavior =
      Behaviors.receive(Object.class)
          .onMessage(String.class, this::handle)
          .onSignal(PreRestart.class, this::handle)
          .onSignal(PostStop.class, this::handle)
          .build();

  private Behavior<Object> handle(Object received) {
    handled.add(received);
    return Behaviors.same();
  }

  /** Lets many actors live and counts their failures. */
  private void live(Set<Moment> moments) {
    for (int i = 0; i < ACTORS; i++) {
      counted(
          () -> {
            BehaviorTestKit<Object> actor =
                BehaviorTestKit.create(
                    FailingBehavior.of(run, false, Object.class, moments, behavior));
            counted(() -> actor.run("message"));
            counted(() -> actor.signal(PreRestart.instance()));
            counted(() -> actor.signal(PostStop.instance()));
          });
    }
  }

  private void counted(Runnable step) {
    try {
      step.run();
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage(Poison.TEXT);
      failures++;
    }
  }

  @Test
  void anActorFailsOnlyAtItsMoments() {
    Set<String> reached = new TreeSet<>();
    for (Moment moment : Moment.values()) {
      int before = failures;
      live(EnumSet.of(moment));
      assertThat(failures - before).as(moment.toString()).isBetween(1, ACTORS / 4);
      reached.add(moment.toString());
      assertThat(run.reached().keySet()).isEqualTo(reached);
    }
  }

  /** An actor that fails at its start handles nothing; the others handle all before a failure. */
  @Test
  void aBehaviorHandlesWhatItFailsAfter() {
    live(EnumSet.allOf(Moment.class));
    int started = ACTORS - run.reached().getOrDefault(Moment.START.toString(), 0);
    assertThat(started).isLessThan(ACTORS);
    assertThat(handled).filteredOn("message"::equals).hasSize(started);
    assertThat(handled).filteredOn(PreRestart.class::isInstance).hasSize(started);
  }

  /** The random numbers of the run stay the same. */
  @Test
  void nothingFailsInARunWithoutExceptions() {
    Run reduced = Runs.of(new StillControl(), new Reduction(80, Set.of(Reduction.THROWS)));
    for (int i = 0; i < ACTORS; i++) {
      BehaviorTestKit<Object> actor =
          BehaviorTestKit.create(
              FailingBehavior.of(
                  reduced, false, Object.class, EnumSet.allOf(Moment.class), behavior));
      actor.run("message");
      assertThat(reduced.throwsIn(100)).isFalse();
      run.draw(1, 1_000); // at the start
      run.draw(1, 1_000); // after the message
      run.chance(100);
    }
    assertThat(reduced.reached()).isEmpty();
    assertThat(reduced.draw(1, 1_000_000)).isEqualTo(run.draw(1, 1_000_000));
  }

  @Test
  void nothingFailsInACalmRun() {
    Behavior<Object> calm =
        FailingBehavior.of(run, true, Object.class, EnumSet.allOf(Moment.class), behavior);
    assertThat(calm).isSameAs(behavior);
  }
}
