package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.Scheduler;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import scala.concurrent.ExecutionContext;

/** Tests that periodic timers of a simulation follow Pekko's default scheduler. */
class WorldSchedulerTest {
  private static final Duration TEN_MS = Duration.ofMillis(10);

  @Test
  void anIntervalOfZeroIsRefused() {
    Simulation.of(1)
        .run(
            system -> {
              Scheduler scheduler = system.actorSystem().scheduler();
              ExecutionContext executor = system.actorSystem().executionContext();
              assertThatIllegalArgumentException()
                  .isThrownBy(
                      () ->
                          scheduler.scheduleAtFixedRate(TEN_MS, Duration.ZERO, () -> {}, executor))
                  .withMessageContaining("endless loop");
              assertThatIllegalArgumentException()
                  .isThrownBy(
                      () ->
                          scheduler.scheduleWithFixedDelay(
                              TEN_MS, Duration.ZERO, () -> {}, executor))
                  .withMessageContaining("endless loop");
            });
  }

  @Test
  void aLateFixedRateCatchesUpAndAFixedDelayDoesNot() {
    Simulation.of(1)
        .run(
            system -> {
              Scheduler scheduler = system.actorSystem().scheduler();
              ExecutionContext executor = system.actorSystem().executionContext();
              int[] atRate = new int[1];
              int[] withDelay = new int[1];
              Cancellable rate =
                  scheduler.scheduleAtFixedRate(TEN_MS, TEN_MS, () -> atRate[0]++, executor);
              Cancellable delay =
                  scheduler.scheduleWithFixedDelay(TEN_MS, TEN_MS, () -> withDelay[0]++, executor);
              World.current().control().jump(Duration.ofSeconds(1).toNanos());
              system.spawn(Behaviors.<String>ignore(), "actor"); // a step takes a second
              system.runFor(Duration.ofSeconds(1));
              rate.cancel();
              delay.cancel();
              system.settle();
              long most = system.now().toMillis() / TEN_MS.toMillis();
              assertThat(atRate[0]).isBetween(Math.toIntExact(most - 2), Math.toIntExact(most));
              assertThat(withDelay[0]).isBetween(50, 102);
            });
  }
}
