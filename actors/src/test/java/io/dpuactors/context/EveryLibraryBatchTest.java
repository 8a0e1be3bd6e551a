package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.AnySource;
import io.dpuactors.testing.AnyTask;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests batches of the kinds of every row of {@link TaskLibrary}: results, Busy, deadline, lost
 * device, stop and census. A new row is tested without new code.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EveryLibraryBatchTest {
  private static final String KINDS = "io.dpuactors.testing.AnyTask#kinds";
  private static final int BYTES = 512;
  private static final int TASKS = 20;

  /** Each run has more tasks than the window. */
  @ParameterizedTest
  @MethodSource(KINDS)
  void eachTaskOfEachRunHasTheResultOfASingleTask(TaskKind kind) {
    try (Rig rig = new Rig(kind, TaskOptions.defaults().withWindow(8))) {
      TaskBatch batch = rig.batch();
      byte[] expected = rig.single(batch.sources().get(3));
      for (int run = 0; run < 3; run++) {
        rig.run(batch, run);
        assertThat(rig.receive()).isEqualTo(new Ended(run, batch));
        assertThat(batch.results()).hasToString(TASKS + " done");
        assertThat(bytes(batch.destinations().get(3))).isEqualTo(expected);
        assertThat(bytes(batch.destinations().get(4))).isNotEqualTo(expected);
      }
      release(batch);
      assertThat(rig.system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  void refusedTasksAreSubmittedAgain(TaskKind kind) {
    try (Rig rig = new Rig(kind, TaskOptions.defaults())) {
      FreshSoftDpu.DEVICE.faults("*:again=3:nth=2");
      TaskBatch batch = rig.batch();
      rig.run(batch, 1);
      assertThat(rig.receive()).isInstanceOf(Ended.class);
      assertThat(batch.results().failures()).isZero();
      release(batch);
      assertThat(rig.system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  void batchesBeyondWindowAndQueueGetBusy(TaskKind kind) {
    TaskOptions options = TaskOptions.defaults().withWindow(1).withQueue(1);
    try (Rig rig = new Rig(kind, options)) {
      FreshSoftDpu.DEVICE.faults("*:delay=10ms");
      for (int i = 0; i < 4; i++) {
        rig.run(rig.batch(), i);
      }
      List<BatchReply> all = rig.replies.receiveSeveralMessages(4);
      assertThat(all.stream().map(BatchReply::tag)).containsExactlyInAnyOrder(0L, 1L, 2L, 3L);
      assertThat(all).filteredOn(Busy.class::isInstance).isNotEmpty();
      assertThat(all).filteredOn(Ended.class::isInstance).hasSizeGreaterThan(1);
      all.forEach(reply -> release(reply.batch()));
      assertThat(rig.system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  void aLateBatchIsAnsweredOnceAtItsDeadline(TaskKind kind) {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    TaskOptions options = TaskOptions.defaults().withDeadline(Duration.ofMillis(50));
    try (Rig rig = new Rig(kind, options)) {
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its tasks
      rig.run(rig.batch(), 1);
      BatchFailed failed = (BatchFailed) rig.receive();
      assertThat(failed.error().code()).isEqualTo(DocaCode.TIME_OUT);
      assertThat(failed.ownership()).isEqualTo(Ownership.RETAINED);
      FreshSoftDpu.DEVICE.manualClock(false);
      assertThat(rig.system.stopEngine().clean()).isTrue();
      rig.replies.expectNoMessage(Duration.ZERO);
    }
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  @ExpectedLog("the context stopped by itself")
  void aLostDeviceEndsABatchAndTheContextRestarts(TaskKind kind) {
    try (Rig rig = new Rig(kind, TaskOptions.defaults().withWindow(5))) {
      FreshSoftDpu.DEVICE.faults("*:delay=2ms;*:lost:nth=8");
      TaskBatch batch = rig.batch();
      rig.run(batch, 1);
      BatchReply reply = rig.receive();
      assertThat(reply instanceof BatchFailed || batch.results().failures() > 0).isTrue();
      release(batch);
      FreshSoftDpu.DEVICE.clearFaults();
      rig.createObject();
      TaskBatch after = rig.batch();
      rig.run(after, 2);
      assertThat(rig.receive()).isEqualTo(new Ended(2, after));
      assertThat(after.results().failures()).isZero();
      release(after);
      assertThat(rig.system.stopEngine().clean()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  void stopAnswersABatch(TaskKind kind) {
    try (Rig rig = new Rig(kind, TaskOptions.defaults().withWindow(2))) {
      FreshSoftDpu.DEVICE.faults("*:delay=1ms");
      TaskBatch batch = rig.batch();
      rig.run(batch, 1);
      rig.context.tell(new Stop());
      assertThat(rig.receive().tag()).isEqualTo(1);
      rig.replies.expectTerminated(rig.context);
      release(batch);
      assertThat(rig.system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @ParameterizedTest
  @MethodSource("io.dpuactors.context.ContextObjectsTest#libraries")
  void anObjectIsDestroyedAfterTheBatchThatUsesIt(TaskLibrary library) {
    try (Rig rig = new Rig(AnyTask.kind(library), TaskOptions.defaults().withWindow(2))) {
      TestProbe<Object> answers = rig.system.kit.createTestProbe();
      TaskHandle object = Objects.requireNonNull(rig.object);
      TaskBatch batch = rig.batch();
      TaskBatch late = rig.batch();
      BlockPoint blockPoint = rig.system.blockEngine(); // the context gets all messages at once
      rig.run(batch, 1, answers.getRef().narrow());
      rig.context.tell(new AnyTask.Destroy(object, answers.getRef().narrow()));
      rig.run(late, 2, answers.getRef().narrow());
      blockPoint.release();
      BatchFailed refused = answers.expectMessageClass(BatchFailed.class);
      assertThat(refused.error().about()).contains(object + " was destroyed");
      ObjectDestroyed destroyed = answers.expectMessageClass(ObjectDestroyed.class);
      assertThat(destroyed).isEqualTo(new ObjectDestroyed(object, Optional.empty()));
      answers.expectMessage(new Ended(1, batch));
      assertThat(batch.results().failures()).isZero();
      release(batch);
      release(late);
      assertThat(rig.system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static byte[] bytes(Buffer buffer) {
    byte[] bytes = new byte[buffer.length()];
    buffer.bytes().get(0, bytes);
    return bytes;
  }

  private static void release(TaskBatch batch) {
    batch.close();
    batch.sources().forEach(Buffer::release);
    batch.destinations().forEach(Buffer::release);
  }

  /** A running context of a kind, with the object of its tasks. */
  private static final class Rig implements AutoCloseable {
    final RunningSystem system = RunningSystem.create();
    final TestProbe<BatchReply> replies = system.kit.createTestProbe();
    final ActorRef<LocalMessage> context;
    private final TaskKind kind;
    private @Nullable TaskHandle object;

    Rig(TaskKind kind, TaskOptions options) {
      this.kind = kind;
      context = system.opened(TaskLibrary.of(kind), options.withKinds(kind));
      createObject();
    }

    void createObject() {
      object = system.object(TaskLibrary.of(kind), context);
    }

    TaskBatch batch() {
      BufferPool sources = system.pool(TASKS, BYTES + AnySource.OVERHEAD);
      BufferPool destinations = system.pool(TASKS, 2 * BYTES);
      List<Buffer> from = new ArrayList<>();
      List<Buffer> to = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        from.add(buffer(sources, AnySource.of(kind, i, BYTES)));
        to.add(buffer(destinations));
      }
      return TaskBatch.of(from, to);
    }

    void run(TaskBatch batch, long tag) {
      run(batch, tag, replies.getRef());
    }

    void run(TaskBatch batch, long tag, ActorRef<BatchReply> replyTo) {
      context.tell(new AnyTask.Batch(kind, object, batch, tag, replyTo));
    }

    BatchReply receive() {
      return replies.receiveMessage();
    }

    /** Returns the output of a task with the content of this source. */
    byte[] single(Buffer like) {
      BufferPool pool = system.pool(2, 2 * BYTES);
      TestProbe<TaskReply> reply = system.kit.createTestProbe();
      Buffer src = buffer(pool, bytes(like));
      context.tell(new AnyTask(kind, object, src, buffer(pool), 0, reply.getRef()));
      TaskReply done = reply.receiveMessage();
      byte[] output = bytes(done.dst());
      releaseBuffers(done);
      return output;
    }

    @Override
    public void close() {
      system.close();
    }
  }
}
