package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.loop.LoopDevice;
import io.dpuactors.loop.SteppedLoop;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests when an engine may sleep long, and that a deadline is not late because of a long sleep. The
 * clock advances only during sleeps, and the device loses every event.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RestTest {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long PARK_NS = ManualEngine.settings().idleParkNs();
  private static final long PARK_MAX_NS = ManualEngine.settings().idleParkMaxNs();
  private static final ContextTimes TIMES =
      new ContextTimes(ManualEngine.SECOND, ManualEngine.SECOND, ManualEngine.SECOND);
  private static final LaneSettings LANE = new LaneSettings(1, 16, ManualEngine.SECOND);

  private final TestInbox<TaskReply> replies = TestInbox.create();
  private final List<Long> sleeps = new ArrayList<>();
  private ManualEngine engine;
  private SteppedLoop loop;
  private long turnedNs;

  @BeforeEach
  void create() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(8);
    loop = new SteppedLoop(ManualEngine.settings(), engine.core::nowNs, new Sleeper());
  }

  @AfterEach
  void close() {
    FreshSoftDpu.DEVICE.manualClock(false);
    engine.close();
  }

  @Test
  void withoutContextsItRests() {
    stepTimes(10);
    assertThat(sleeps).startsWith(PARK_NS, 2 * PARK_NS).endsWith(PARK_MAX_NS).isSorted();
  }

  @Test
  void aContextRestsWhileItRunsAndHasNothingToDo() {
    ContextNode<TaskLane<DeviceRequest>> node = engine.open("compress", LANE);
    assertThat(engine.core.isAtRest()).as("opening").isFalse();
    engine.settle();
    assertThat(engine.core.isAtRest()).as("running").isTrue();
    node.load().accept(deflate(1));
    assertThat(engine.core.isAtRest()).as("with a request").isFalse();
    engine.settle();
    assertThat(engine.core.isAtRest()).as("after its answer").isTrue();
    node.stop();
    assertThat(engine.core.isAtRest()).as("stopping").isFalse();
    engine.settle();
    assertThat(engine.core.isAtRest()).as("without it").isTrue();
    releaseBuffers();
  }

  @Test
  void aContextWithTasksInFlightIsAtRest() {
    LaneSettings forever = new LaneSettings(1, 16, Nanos.FOREVER);
    FreshSoftDpu.DEVICE.manualClock(true);
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=3600s");
    ContextNode<TaskLane<DeviceRequest>> node = engine.open("compress", forever);
    engine.settle();
    node.load().accept(deflate(1));
    engine.settle();
    assertThat(engine.core.isAtRest()).as("in flight").isTrue();
    node.load().accept(deflate(2));
    assertThat(engine.core.isAtRest()).as("behind the window").isFalse();
    finish(node);
  }

  @Test
  void anEngineThatRepeatsASubmissionIsNotAtRest() {
    LaneSettings forever = new LaneSettings(1, 16, Nanos.FOREVER);
    ContextNode<TaskLane<DeviceRequest>> node = engine.open("compress", forever);
    engine.settle();
    FreshSoftDpu.DEVICE.faults("compress-deflate:again=1000000");
    node.load().accept(deflate(1));
    engine.core.turn(engine.core.nowNs(), 0);
    engine.core.turn(engine.core.nowNs(), 0);
    assertThat(engine.core.isAtRest()).as("refused").isFalse();
    FreshSoftDpu.DEVICE.clearFaults();
    engine.settle();
    assertThat(engine.core.isAtRest()).as("accepted").isTrue();
    assertThat(releaseBuffers()).first().isInstanceOf(Completed.class);
    finish(node);
  }

  @Test
  void aPoolThatIsToBeClosedDoesNotRestUntilItsLeasesAreBack() {
    Buffer leased = engine.buffer((byte) 1);
    engine.core.pools().closeWhenBack(engine.pool);
    assertThat(engine.core.isAtRest()).isFalse();
    leased.release();
    engine.settle();
    assertThat(engine.core.isAtRest()).isTrue();
  }

  @Test
  void aPoolUnderWindowsIsClosedAfterThem() {
    EnginePools pools = engine.core.pools();
    BufferPool windows = pools.openWindows(engine.pool, 2);
    pools.closeWhenBack(engine.pool);
    engine.settle();
    assertThatThrownBy(() -> pools.close(engine.pool))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has open windows");
    assertThat(engine.pool.isClosed()).isFalse();
    pools.close(windows);
    engine.settle();
    assertThat(engine.pool.isClosed()).isTrue();
    assertThat(engine.core.isAtRest()).isTrue();
  }

  @Test
  void aConnectionRestsUnlessAnActorWaits() {
    Link link = link(Optional.empty());
    TestInbox<ReceiveReply> received = TestInbox.create();
    link.receive(new ReceiveMessage(Optional.of(Duration.ofMillis(100)), received.getRef()));
    assertThat(rests(link)).as("receiving").isFalse();
    turn(link, 100 * MS);
    assertThat(received.getAllReceived()).hasSize(1);
    assertThat(rests(link)).as("received").isTrue();
    TestInbox<AwaitReply> awaited = TestInbox.create();
    link.await(new AwaitConsumer(Duration.ofMillis(100), awaited.getRef()));
    assertThat(rests(link)).as("awaiting a consumer").isFalse();
    turn(link, 100 * MS);
    assertThat(awaited.getAllReceived()).hasSize(1);
    assertThat(rests(link)).as("awaited").isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aConnectionDoesNotRestWhileSomethingIsToBeSent(boolean isFramed) {
    Link link = link(isFramed ? Optional.of(new MessageFraming(100_000)) : Optional.empty());
    TestInbox<SendReply> sent = TestInbox.create();
    link.send(new Send(new byte[] {1}, 1, Optional.of(sent.getRef())));
    assertThat(rests(link)).isFalse();
    turn(link, ManualEngine.SECOND);
    assertThat(sent.getAllReceived()).hasSize(1);
    assertThat(rests(link)).isTrue();
  }

  private boolean rests(Link link) {
    return turn(link, 0).isNever();
  }

  private NextTurn turn(Link link, long laterNs) {
    NextTurn next = new NextTurn();
    next.clear(engine.core.nowNs() + laterNs);
    link.turn(engine.core.nowNs() + laterNs, next);
    return next;
  }

  private Link link(Optional<MessageFraming> framing) {
    LinkSettings settings = new LinkSettings(LANE, 16, framing, TIMES);
    Link link = new Link(engine.core, "link", TaskKind.COMCH_CLIENT_SEND, settings);
    assertThat(rests(link)).as("at first").isTrue();
    return link;
  }

  @Test
  void requestsAreAnsweredAtTheirDeadline() {
    FreshSoftDpu.DEVICE.manualClock(true);
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=3600s");
    ContextNode<TaskLane<DeviceRequest>> node = rested();
    long askedNs = engine.core.nowNs();
    loop.execute(() -> node.load().accept(deflate(1))); // the device has it
    loop.execute(() -> node.load().accept(deflate(2))); // waits behind the first request
    List<Long> answeredNs = new ArrayList<>();
    stepUntil(
        () -> {
          for (TaskReply reply : releaseBuffers()) {
            assertThat(((Failed) reply).code()).isEqualTo(DocaCode.TIME_OUT);
            answeredNs.add(turnedNs - askedNs);
          }
          return answeredNs.size() == 2;
        });
    assertThat(answeredNs)
        .allSatisfy(
            ns -> assertThat(ns).isBetween(ManualEngine.SECOND, ManualEngine.SECOND + PARK_NS));
    finish(node);
  }

  @Test
  void aRequestThatTheDeviceRefusesIsTriedAgainInTime() {
    ContextNode<TaskLane<DeviceRequest>> node = rested();
    FreshSoftDpu.DEVICE.faults("compress-deflate:again=20");
    loop.execute(() -> node.load().accept(deflate(1)));
    sleeps.clear();
    stepUntil(replies::hasMessages);
    assertThat(releaseBuffers()).first().isInstanceOf(Completed.class);
    assertThat(sleeps).hasSizeGreaterThan(10).allMatch(ns -> ns <= MS);
    FreshSoftDpu.DEVICE.clearFaults();
    finish(node);
  }

  @Test
  void aContextThatWaitsForItsBackOffComesInTime() {
    stepTimes(10);
    long askedNs = engine.core.nowNs();
    ContextNode<TaskLane<DeviceRequest>> node =
        engine.core.openContext(
            "compress",
            TaskLane.forTasks(engine.core, "compress", LANE),
            TIMES,
            engine::opener,
            engine.recorder("compress"),
            ManualEngine.SECOND);
    stepUntil(() -> engine.events.contains("compress running"));
    assertThat(turnedNs - askedNs).isBetween(ManualEngine.SECOND, ManualEngine.SECOND + PARK_NS);
    finish(node);
  }

  /** Returns a running context of an engine that has begun to sleep long. */
  private ContextNode<TaskLane<DeviceRequest>> rested() {
    ContextNode<TaskLane<DeviceRequest>> node = engine.open("compress", LANE);
    stepTimes(20);
    assertThat(engine.events).containsExactly("compress running");
    assertThat(sleeps).endsWith(PARK_MAX_NS);
    return node;
  }

  private void stepTimes(int steps) {
    for (int i = 0; i < steps; i++) {
      loop.step();
    }
  }

  private void stepUntil(BooleanSupplier condition) {
    for (int i = 0; !condition.getAsBoolean(); i++) {
      assertThat(i).as("steps").isLessThan(10_000);
      loop.step();
    }
  }

  /** Lets the device finish its task and the context end. */
  private void finish(ContextNode<TaskLane<DeviceRequest>> node) {
    FreshSoftDpu.DEVICE.manualClock(false);
    node.stop();
    engine.settle();
    assertThat(node.isGone()).isTrue();
    releaseBuffers();
  }

  private Deflate deflate(long tag) {
    return new Deflate(engine.buffer((byte) 1), engine.buffer(), tag, replies.getRef());
  }

  /** Returns the replies so far and releases their buffers. */
  private List<TaskReply> releaseBuffers() {
    List<TaskReply> all = replies.getAllReceived();
    for (TaskReply reply : all) {
      if (reply instanceof Completed done) {
        done.src().release();
        done.dst().release();
      } else if (reply instanceof Failed failed && failed.ownership() == Ownership.RETURNED) {
        failed.src().release();
        failed.dst().release();
      }
    }
    return all;
  }

  /** The engine's device. No event ends its sleeps; they advance the clock. */
  private final class Sleeper implements LoopDevice {
    @Override
    public void begin(long nowNs) {
      engine.core.begin(nowNs);
    }

    @Override
    public int turn(long nowNs, long pollNs) {
      turnedNs = nowNs;
      return engine.core.turn(nowNs, pollNs);
    }

    @Override
    public boolean isAtRest() {
      return engine.core.isAtRest();
    }

    @Override
    public void await(long timeoutNs) {
      long ns = engine.core.untilDueNs(timeoutNs);
      sleeps.add(ns);
      engine.advance(ns);
    }

    @Override
    public void wake() {}
  }
}
