package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.EngineProtocol;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests the end of a simulated program. */
class ProgramEndTest {
  private static final int SEEDS = 100;

  /** In each order of the actors, the user's actors receive the last messages of the engines. */
  @Test
  void actorsReceiveTheEndOfTheirEngine() {
    AtomicInteger ends = new AtomicInteger();
    Simulation.ofSeeds(1, SEEDS)
        .run(
            system -> {
              ActorRef<EngineProtocol.Command> engine = system.engine("one");
              system.spawn(
                  Behaviors.setup(
                      context -> {
                        context.watch(engine);
                        return Behaviors.receive(Object.class)
                            .onSignal(
                                Terminated.class,
                                signal -> {
                                  ends.incrementAndGet();
                                  return Behaviors.same();
                                })
                            .build();
                      }),
                  "watcher");
            });
    assertThat(ends).hasValue(SEEDS);
  }
}
