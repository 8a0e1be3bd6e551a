package io.dpuactors.engine;

import static io.dpuactors.engine.LeaseOwner.leased;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.MemoryProtocol.LeasesOwned;
import io.dpuactors.protocol.MemoryProtocol.OwnLeases;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that the leases of an actor return to the pool when the actor restarts. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RestartedOwnerTest {
  private static final int BUFFERS = 32;
  private static final int BLOCK = 4096;

  private RunningSystem system;
  private BufferPool pool;
  private TestProbe<Object> events;

  @BeforeEach
  void open() {
    system = RunningSystem.create();
    pool = system.pool(BUFFERS, BLOCK);
    events = system.kit.createTestProbe();
  }

  @AfterEach
  void close() {
    FreshSoftDpu.DEVICE.clearFaults();
    assertThat(system.stopEngine().census()).isEqualTo("empty");
    system.close();
  }

  /**
   * Returns an owner that runs the work with its leases at each start; "fail" restarts it, "end"
   * ends it.
   */
  private ActorRef<Object> owner(BiConsumer<LeaseScope, ActorRef<TaskReply>> work) {
    return system.kit.spawn(behavior(work));
  }

  private Behavior<Object> behavior(BiConsumer<LeaseScope, ActorRef<TaskReply>> work) {
    return restarted(
        LeaseOwner.create(
            system,
            pool,
            (leases, self) -> {
              work.accept(leases, self);
              events.getRef().tell("owned");
              return Behaviors.same();
            },
            this::commands));
  }

  private static Behavior<Object> restarted(Behavior<Object> behavior) {
    return Behaviors.supervise(behavior)
        .onFailure(SupervisorStrategy.restart().withLoggingEnabled(false));
  }

  private BehaviorBuilder<Object> commands(BehaviorBuilder<Object> builder) {
    return builder
        .onMessage(
            TaskReply.class,
            reply -> {
              RunningSystem.releaseBuffers(reply);
              events.getRef().tell("released");
              return Behaviors.same();
            })
        .onMessageEquals(
            "fail",
            () -> {
              throw new IllegalStateException("as the test has asked");
            })
        .onMessageEquals("end", Behaviors::stopped);
  }

  private void awaitAvailable(int count) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> pool.available() == count);
  }

  private void end(ActorRef<Object> owner) {
    owner.tell("end");
    events.expectTerminated(owner);
    awaitAvailable(BUFFERS);
  }

  @Test
  void theLeasesOfEachEarlierLifeReturn() {
    ActorRef<Object> owner =
        owner(
            (leases, self) -> {
              leased(leases).bytes().put(0, (byte) 1);
              leased(leases);
            });
    events.expectMessage("owned");
    for (int life = 0; life < 10; life++) {
      owner.tell("fail");
      events.expectMessage("owned");
      awaitAvailable(BUFFERS - 2);
    }
    end(owner);
  }

  @Test
  void theBatchesOfEachEarlierLifeReturn() {
    ActorRef<Object> owner =
        owner((leases, self) -> TaskBatch.of(List.of(leased(leases)), List.of(leased(leases))));
    events.expectMessage("owned");
    for (int life = 0; life < 10; life++) {
      owner.tell("fail");
      events.expectMessage("owned");
      awaitAvailable(BUFFERS - 2);
    }
    end(owner);
  }

  /** On the engine's thread, the owner gets the answer before the engine's next turn. */
  @Test
  void theLeasesOfTheEarlierLifeAreBackAtTheAnswer() {
    ActorRef<Object> owner =
        system.kit.spawn(
            behavior(
                (leases, self) -> {
                  events.getRef().tell("available " + pool.available());
                  for (int i = 0; i < BUFFERS; i++) {
                    leased(leases);
                  }
                }),
            Engine.props(system.kit.system(), "one"));
    for (int life = 0; life < 3; life++) {
      events.expectMessage("available " + BUFFERS);
      events.expectMessage("owned");
      owner.tell("fail");
    }
    events.expectMessage("available " + BUFFERS);
    events.expectMessage("owned");
    end(owner);
  }

  /** The engine receives the commands of three lives at once. */
  @Test
  void aLifeRecognizesTheAnswerToItsOwnCommand() {
    ActorRef<Object> owner =
        system.kit.spawn(
            restarted(
                Behaviors.setup(
                    context -> {
                      OwnLeases command =
                          new OwnLeases(context.getSelf(), pool, context.getSelf().narrow());
                      system.engine.tell(command);
                      events.getRef().tell("started");
                      return commands(Behaviors.receive(Object.class))
                          .onMessage(
                              LeasesOwned.class,
                              owned -> {
                                events.getRef().tell("own " + owned.isAnswerTo(command));
                                return Behaviors.same();
                              })
                          .build();
                    })));
    events.expectMessage("started");
    events.expectMessage("own true");
    BlockPoint blockPoint = system.blockEngine();
    for (int life = 0; life < 3; life++) {
      owner.tell("fail");
      events.expectMessage("started");
    }
    blockPoint.release();
    events.expectMessage("own false");
    events.expectMessage("own false");
    events.expectMessage("own true");
    end(owner);
  }

  /**
   * Requests are in flight at the restart. The restarted actor gets their answers and releases
   * them.
   */
  @Test
  void requestsInFlightKeepTheirLeasesAndAnswerTheNextLife() {
    FreshSoftDpu.DEVICE.faults("dma-memcpy:delay=20ms");
    ActorRef<DmaProtocol.Command> dma =
        system.openedDma("dma", TaskOptions.defaults().withWindow(2));
    ActorRef<Object> owner =
        owner(
            (leases, self) -> {
              for (int i = 0; i < 3; i++) {
                Buffer src = leased(leases);
                src.length(BLOCK);
                dma.tell(new Copy(src, leased(leases), i, self));
              }
            });
    owner.tell("fail");
    owner.tell("fail");
    for (int i = 0; i < 3 * 3 + 3; i++) {
      assertThat(events.receiveMessage()).isIn("owned", "released");
    }
    awaitAvailable(BUFFERS);
    end(owner);
  }
}
