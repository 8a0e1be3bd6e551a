package io.dpuactors.engine;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.loop.EngineDispatchers;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.OpenReply;
import io.dpuactors.protocol.EngineProtocol.OwnLeases;
import io.dpuactors.protocol.EngineProtocol.Stop;
import io.dpuactors.protocol.EngineProtocol.Stopped;
import io.dpuactors.protocol.comch.ClientOptions;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The end of an engine, with and without a Stop message. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EngineEndTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  private static void awaitLendingEnds(BufferPool pool) {
    Awaitility.await()
        .atMost(BOUND)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              Buffer lent = pool.lease();
              if (lent != null) {
                lent.release();
              }
              return lent == null;
            });
  }

  private static void awaitEnd(RunningSystem system) throws Exception {
    system.kit.system().getWhenTerminated().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  void aPoolLendsNothingWhileItsEngineStops() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      Buffer held = buffer(pool, (byte) 1);
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      system.engine.tell(new Stop(stopped.getRef()));
      awaitLendingEnds(pool);
      assertThat(pool.scope("late").lease()).isNull();
      held.release();
      assertThat(stopped.receiveMessage().clean()).isTrue();
    }
  }

  /** Without Stop: the engine waits for a lease, and CleanLog shows that nothing was lost. */
  @Test
  void theEndOfTheActorSystemWaitsForLeases() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      Buffer held = buffer(pool, (byte) 1);
      system.kit.system().terminate();
      awaitLendingEnds(pool);
      assertThat(pool.isClosed()).isFalse();
      held.release();
      awaitEnd(system);
      assertThat(pool.isClosed()).isTrue();
    }
  }

  /** The holder's own actor has ended: only the engine can return its leases. */
  @Test
  void theEndOfTheActorSystemReturnsTheLeasesOfActorsThatEndedWithIt() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      TestProbe<String> leased = system.kit.createTestProbe();
      system.kit.spawn(
          Behaviors.<Object>setup(
              context -> {
                system.engine.tell(
                    new OwnLeases(context.getSelf(), pool, context.getSelf().narrow()));
                return Behaviors.receive(Object.class)
                    .onMessage(
                        EngineProtocol.LeasesOwned.class,
                        owned -> {
                          assertThat(owned.leases().lease()).isNotNull();
                          leased.getRef().tell("leased");
                          return Behaviors.same();
                        })
                    .build();
              }));
      leased.expectMessage("leased");
      system.kit.system().terminate();
      awaitEnd(system);
      assertThat(pool.isClosed()).isTrue();
    }
  }

  /** The engine's thread waits in the engine's last signal, and the holder needs that thread. */
  @Test
  void aHolderOnTheEnginesThreadCanReleaseWhileTheEngineEnds() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 64);
      Buffer held = buffer(pool, (byte) 1);
      ActorRef<Buffer> holder =
          system.kit.spawn(
              Behaviors.receiveMessage(
                  buffer -> {
                    buffer.release();
                    return Behaviors.same();
                  }),
              "holder",
              EngineDispatchers.select(system.kit.system(), "one"));
      TestProbe<Object> watcher = system.kit.createTestProbe();
      system.endEngine();
      awaitLendingEnds(pool);
      holder.tell(held);
      watcher.expectTerminated(system.engine);
      assertThat(pool.isClosed()).isTrue();
    }
  }

  @Test
  void aParentThatStopsAStoppingEngineLeavesNoStopUnanswered() {
    try (RunningSystem system = RunningSystem.create()) {
      Buffer held = buffer(system.pool(4, 64), (byte) 1);
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      system.engine.tell(new Stop(stopped.getRef()));
      awaitLendingEnds(held.pool());
      system.endEngine();
      held.release();
      assertThat(stopped.receiveMessage().clean()).isTrue();
    }
  }

  @Test
  void anOpenCommandIsAnsweredWhenTheParentStopsTheEngine() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<OpenReply<ConnectionProtocol.Command>> reply = system.kit.createTestProbe();
      ClientOptions patient =
          ClientOptions.of("no such server")
              .withSupervision(
                  SupervisorStrategy.restartWithBackoff(BOUND, BOUND, 0).withLoggingEnabled(false));
      system.engine.tell(new OpenComchClient("client", patient, reply.getRef()));
      assertThat(system.counter("turns")).isNotNegative(); // the command has been taken
      system.endEngine();
      assertThat(reply.receiveMessage()).isInstanceOf(OpenFailed.class);
    }
  }
}
