package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that an exception at any point fails only the node that threw it. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class NodeFailureTest {
  private static final String PLANTED = "planted fault";
  private static final LaneSettings LANE = new LaneSettings(8, 16, ManualEngine.SECOND);
  private static final ContextTimes TIMES =
      new ContextTimes(ManualEngine.SECOND, ManualEngine.SECOND, ManualEngine.SECOND);

  private final TestInbox<TaskReply> inbox = TestInbox.create();
  private final Faulty load = new Faulty();
  private ManualEngine engine;

  @BeforeEach
  void inline() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(16);
  }

  @AfterEach
  void close() {
    load.faults.clear(); // else a failed test leaves a node that cannot end
    load.inFlight = 0;
    engine.close();
  }

  @Test
  @ExpectedLog(PLANTED)
  void aTurnThatThrowsFailsItsNodeAndTheOthersHaveTheirTurn() {
    ContextNode<Faulty> faulty = openFaulty();
    ContextNode<TaskLane<DeviceRequest>> healthy = engine.open("healthy", LANE);
    engine.settle();
    load.faults.add(Fault.TURN);
    faulty.schedule();
    healthy.load().accept(deflate());

    engine.settle();
    expectCompleted();
    assertThat(engine.events)
        .containsSequence("faulty failed UNEXPECTED", "faulty gone")
        .doesNotContain("healthy gone");
    assertThat(faulty.isGone()).isTrue();
    stop(healthy);
  }

  @Test
  void aContextStopsAlthoughItsRequestsCannotBeAnswered() {
    ContextNode<Faulty> faulty = openFaulty();
    engine.settle();
    load.faults.add(Fault.CLOSE);
    DocaError lost = DocaError.of("device", 1, "lost");
    try {
      faulty.broken(lost);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage(PLANTED);
    }
    engine.settle();
    assertThat(faulty.isGone()).isTrue();
    assertThat(engine.events)
        .containsExactly("faulty running", "faulty failed UNKNOWN", "faulty gone");
  }

  @Test
  @ExpectedLog(PLANTED)
  void aNodeThatThrowsInEachPhaseStillEnds() {
    ContextNode<Faulty> faulty = openFaulty();
    engine.settle();
    load.faults.addAll(EnumSet.allOf(Fault.class));
    faulty.schedule();

    for (int i = 0; i < 100; i++) {
      engine.turn();
      engine.advance(ManualEngine.SECOND / 10);
    }
    assertThat(faulty.hasEnded()).isTrue();
    load.faults.clear();
    engine.advance(ManualEngine.SECOND);
    engine.settle();
    assertThat(faulty.isGone()).isTrue();
  }

  @Test
  void anAbandonedNodeThatThrowsLetsTheLoopSleep() {
    ContextNode<Faulty> faulty = openFaulty();
    engine.settle();
    load.inFlight = 1;
    load.faults.add(Fault.TURN);
    faulty.lose();

    engine.settle();
    assertThat(engine.core.untilDueNs(ManualEngine.SECOND)).isEqualTo(engine.core.recheckNs());
    faulty.fail(new IllegalStateException(PLANTED));
    assertThat(engine.turn()).isZero();
    assertThat(faulty.isGone()).isFalse();
    load.inFlight = 0;
    load.faults.clear();
    faulty.beginStop();
    engine.advance(engine.core.recheckNs());
    engine.settle();
    assertThat(faulty.isGone()).isTrue();
  }

  @Test
  void aRequestWhoseSubmissionFindsNoMemoryIsAnsweredAndItsSlotIsFree() {
    FaultyTasks tasks = new FaultyTasks();
    ContextNode<TaskLane<DeviceRequest>> node = open(tasks);
    engine.settle();
    tasks.isOutOfMemory = true;
    for (int i = 0; i < 100; i++) {
      Deflate request = deflate();
      assertThatCode(() -> node.load().accept(request)).doesNotThrowAnyException();
      expectFailed(DocaCode.NO_MEMORY);
    }
    assertThat(engine.core.tasksInFlight()).isZero();
    tasks.isOutOfMemory = false;
    node.load().accept(deflate());
    engine.settle();
    expectCompleted();
    stop(node);
  }

  @Test
  @ExpectedLog("length 4097 of a buffer of 4096 bytes")
  void aRequestWhoseRecordIsInvalidIsAnsweredAndItsContextFails() {
    FaultyTasks tasks = new FaultyTasks();
    ContextNode<TaskLane<DeviceRequest>> node = open(tasks);
    engine.settle();
    tasks.excessBytes = 1;
    node.load().accept(deflate());
    engine.settle();
    expectFailed(DocaCode.UNEXPECTED);
    assertThat(node.isGone()).isTrue();
    assertThat(engine.events)
        .containsExactly("faulty running", "faulty failed UNEXPECTED", "faulty gone");
  }

  @Test
  void anOpenerWithoutMemoryFailsItsNodeOnly() {
    ContextNode<TaskLane<DeviceRequest>> healthy = engine.open("healthy", LANE);
    engine.settle();
    ContextNode<Faulty> faulty =
        engine.core.openContext(
            "faulty",
            load,
            TIMES,
            (owner, userData) -> {
              throw new OutOfMemoryError(PLANTED);
            },
            engine.recorder("faulty"),
            0);
    engine.settle();
    assertThat(engine.events)
        .containsExactly("healthy running", "faulty failed NO_MEMORY", "faulty gone");
    assertThat(faulty.isGone()).isTrue();
    healthy.load().accept(deflate());
    engine.settle();
    expectCompleted();
    stop(healthy);
  }

  @Test
  @ExpectedLog(PLANTED)
  void anAnswerThatThrowsFailsItsContextAndTheOtherRecordsAreDelivered() {
    ContextNode<TaskLane<String>> faulty =
        engine.core.openContext(
            "faulty",
            new TaskLane<>(engine.core, LANE, new Unanswerable(engine)),
            TIMES,
            engine::opener,
            engine.recorder("faulty"),
            0);
    ContextNode<TaskLane<DeviceRequest>> healthy = engine.open("healthy", LANE);
    engine.settle();
    faulty.load().accept("a request");
    healthy.load().accept(deflate());
    engine.settle();
    expectCompleted();
    assertThat(faulty.isGone()).isTrue();
    assertThat(engine.events).contains("faulty failed UNEXPECTED").doesNotContain("healthy gone");
    stop(healthy);
  }

  private ContextNode<Faulty> openFaulty() {
    return engine.core.openContext(
        "faulty", load, TIMES, engine::opener, engine.recorder("faulty"), 0);
  }

  private ContextNode<TaskLane<DeviceRequest>> open(FaultyTasks tasks) {
    return engine.core.openContext(
        "faulty",
        new TaskLane<>(engine.core, LANE, tasks),
        TIMES,
        engine::opener,
        engine.recorder("faulty"),
        0);
  }

  private Deflate deflate() {
    return new Deflate(engine.buffer((byte) 1), engine.buffer(), 1, inbox.getRef());
  }

  private void expectCompleted() {
    Completed done = (Completed) inbox.receiveMessage();
    done.src().release();
    done.dst().release();
  }

  private void expectFailed(DocaCode code) {
    Failed failed = (Failed) inbox.receiveMessage();
    assertThat(failed.code()).isEqualTo(code);
    assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
    failed.src().release();
    failed.dst().release();
    assertThat(inbox.hasMessages()).isFalse();
  }

  private void stop(ContextNode<?> node) {
    node.stop();
    engine.settle();
    assertThat(node.isGone()).isTrue();
  }

  private enum Fault {
    TURN,
    CLOSE,
    EXPIRE
  }

  /** A load without requests that throws where a test sets it. */
  private static final class Faulty implements ContextLoad {
    final Set<Fault> faults = EnumSet.noneOf(Fault.class);
    int inFlight;

    private void maybe(Fault fault) {
      if (faults.contains(fault)) {
        throw new IllegalStateException(PLANTED);
      }
    }

    @Override
    public void open(DocaContext running, Map<TaskKind, TaskLimits> configured) {}

    @Override
    public void close(DocaError reason) {
      maybe(Fault.CLOSE);
    }

    @Override
    public int inFlight() {
      return inFlight;
    }

    @Override
    public void turn(long nowNs, NextTurn next) {
      maybe(Fault.TURN);
    }

    @Override
    public void expireAll() {
      maybe(Fault.EXPIRE);
    }
  }

  /** Tasks whose submission finds no memory, or whose record reports too many bytes. */
  private static final class FaultyTasks extends BufferRequests<Deflate> {
    boolean isOutOfMemory;
    long excessBytes;

    FaultyTasks() {
      super("faulty", "doca_task_submit", Deflate.class);
    }

    @Override
    String describe(Deflate task) {
      return "deflate task";
    }

    @Override
    @Nullable DocaError unusableTask(Deflate task) {
      return null;
    }

    @Override
    @Nullable DocaError unusableBatch(DeviceRequest request, TaskBatch batch) {
      return null;
    }

    @Override
    public @Nullable DocaError refusal(DeviceRequest request) {
      return null;
    }

    @Override
    boolean offerTask(Deflate task, EngineCore core, TaskSlot slot, int handle) {
      if (isOutOfMemory) {
        throw new OutOfMemoryError(PLANTED);
      }
      return core.submissions()
          .offer(slot.userData(), handle, task.kind(), task.src(), task.dst(), 0);
    }

    @Override
    long written(Deflate task, CompletionRing record) {
      return excessBytes == 0 ? record.produced() : task.dst().capacity() + excessBytes;
    }

    @Override
    void answer(Deflate task, CompletionRing record) {
      task.completed(record.checksum0(), record.checksum1());
    }
  }

  /** Requests that the device executes and whose answer throws. */
  private static final class Unanswerable implements Requests<String> {
    private final Buffer src;
    private final Buffer dst;

    Unanswerable(ManualEngine engine) {
      src = engine.buffer((byte) 1);
      dst = engine.buffer();
    }

    @Override
    public TaskKind kind(String request) {
      return TaskKind.COMPRESS_DEFLATE;
    }

    @Override
    public String about(String request) {
      return request;
    }

    @Override
    public @Nullable DocaError unusable(String request) {
      return null;
    }

    @Override
    public @Nullable DocaError refusal(String request) {
      return null;
    }

    @Override
    public boolean offer(String request, EngineCore core, TaskSlot slot, int context) {
      return core.submissions()
          .offer(slot.userData(), context, TaskKind.COMPRESS_DEFLATE, src, dst, 0);
    }

    @Override
    public void completed(String request, CompletionRing record) {
      src.release();
      dst.release();
      throw new IllegalStateException(PLANTED);
    }

    @Override
    public void failed(String request, DocaError error, Ownership ownership) {}

    @Override
    public void busy(String request, int waiting) {}
  }
}
