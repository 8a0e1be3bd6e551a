package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.Descriptors;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests what engines leave in a process that begins and ends many of them. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EngineLifecycleTest {
  private static final int LIFECYCLES = 4;

  @Test
  void actorSystemsLeaveNoThreadAndNoDescriptor() throws IOException {
    liveOnce(true); // the first life loads classes and libraries
    awaitNothingLeft(Long.MAX_VALUE);
    long before = Descriptors.open();
    for (int i = 0; i < LIFECYCLES; i++) {
      liveOnce(i % 2 == 0);
    }
    awaitNothingLeft(before);
  }

  private static void liveOnce(boolean stopsEngine) {
    try (RunningSystem system = RunningSystem.create()) {
      if (stopsEngine) {
        assertThat(system.stopEngine()).isEqualTo(Stopped.CLEAN);
      }
    }
  }

  @Test
  void enginesWithNewNamesLeaveNoThreadAndNoDescriptor() throws IOException {
    try (RunningSystem system = RunningSystem.create()) {
      stop(system, system.engine);
      stop(system, system.spawnEngine("warm"));
      awaitNothingLeft(Long.MAX_VALUE);
      long before = Descriptors.open();
      for (int i = 0; i < LIFECYCLES; i++) {
        stop(system, system.spawnEngine("tenant-" + i));
      }
      awaitNothingLeft(before);
    }
  }

  private static void stop(RunningSystem system, ActorRef<EngineProtocol.Command> engine) {
    TestProbe<Stopped> stopped = system.kit.createTestProbe();
    engine.tell(new Stop(stopped.getRef()));
    assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
    stopped.expectTerminated(engine);
  }

  @Test
  @ExpectedLog("one engine per dispatcher")
  void aSecondEngineOfTheSameNameFailsWithTheReason() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<Optional<Throwable>> failures = system.kit.createTestProbe();
      system.kit.spawn(parentOfEngine("one", failures.getRef()), "second-parent");
      assertThat(failures.receiveMessage())
          .hasValueSatisfying(
              failure -> assertThat(failure).hasStackTraceContaining("one engine per dispatcher"));
      assertThat(system.stopEngine()).isEqualTo(Stopped.CLEAN); // the first engine is unaffected
    }
  }

  private static Behavior<Object> parentOfEngine(
      String name, ActorRef<Optional<Throwable>> failures) {
    return Behaviors.setup(
        context -> {
          context.watch(Engine.spawn(context, name));
          return Behaviors.receive(Object.class)
              .onSignal(
                  ChildFailed.class,
                  failed -> {
                    failures.tell(Optional.of(failed.cause()));
                    return Behaviors.same();
                  })
              .build();
        });
  }

  /** The dispatcher of an engine ends its thread a second after its last actor. */
  private static void awaitNothingLeft(long descriptors) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              assertThat(Thread.getAllStackTraces().keySet())
                  .extracting(Thread::getName)
                  .noneMatch(name -> name.startsWith("dpu-engine-"));
              assertThat(Descriptors.open()).isLessThanOrEqualTo(descriptors);
            });
  }
}
