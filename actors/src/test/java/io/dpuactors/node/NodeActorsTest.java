package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the start of actors that own nodes. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class NodeActorsTest {
  private static final LaneSettings LANE = new LaneSettings(8, 16, ManualEngine.SECOND);

  private final ActorRef<Object> actor = TestInbox.<Object>create().getRef();
  private ManualEngine engine;

  @BeforeEach
  void inline() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(2);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  /** Afterwards a context of the same name opens, and the other contexts run. */
  @Test
  void aStartThatThrowsLeavesNoNode() {
    ContextNode<TaskLane<DeviceRequest>> other = engine.open("other", LANE);
    engine.settle();
    IllegalStateException failure = new IllegalStateException("planted fault");
    assertThatThrownBy(
            () ->
                NodeActors.start(
                    engine.core,
                    actor,
                    () -> {
                      engine.open("tasks", LANE);
                      throw failure;
                    }))
        .isSameAs(failure);
    engine.settle();
    assertThat(engine.events).containsExactly("other running");

    ContextNode<TaskLane<DeviceRequest>> again = engine.open("tasks", LANE);
    engine.settle();
    assertThat(engine.events).containsExactly("other running", "tasks running");
    other.stop();
    again.stop();
    engine.settle();
  }

  /** Requests with buffers may be in the mailbox of the actor, so memory waits for its marker. */
  @Test
  void anActorThatThrowsAtItsRestartStillTakesBuffers() {
    BufferTakers takers = engine.core.pools().takers();
    takers.join(actor);
    startAndThrow();
    assertThat(takers.sendMarker().isPassed()).isFalse();
    takers.leave(actor);
  }

  @Test
  void anActorThatThrowsAtItsFirstStartTakesNoBuffers() {
    BufferTakers takers = engine.core.pools().takers();
    startAndThrow();
    assertThat(takers.sendMarker().isPassed()).isTrue();
  }

  /** Starts the actor, which begins to take buffers and throws. */
  private void startAndThrow() {
    assertThatThrownBy(
            () ->
                NodeActors.start(
                    engine.core,
                    actor,
                    () -> {
                      engine.core.pools().takers().join(actor);
                      throw new IllegalStateException("planted fault");
                    }))
        .hasMessage("planted fault");
  }

  @Test
  void aStartKeepsItsNode() {
    ContextNode<TaskLane<DeviceRequest>> node =
        NodeActors.start(engine.core, actor, () -> engine.open("tasks", LANE));
    engine.settle();
    assertThat(engine.events).containsExactly("tasks running");
    node.stop();
    engine.settle();
  }
}
