package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that every run of a batch gets exactly one answer, and that the batch has a result per
 * task.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BatchTest {
  private static final LaneSettings SETTINGS = new LaneSettings(8, 16, ManualEngine.SECOND);

  private final TestInbox<BatchReply> inbox = TestInbox.create();
  private ManualEngine engine;
  private ContextNode<TaskLane<DeviceRequest>> node;

  @BeforeEach
  void inline() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(128);
    node = engine.open("compress", SETTINGS);
  }

  @AfterEach
  void close() {
    FreshSoftDpu.DEVICE.clearFaults();
    node.stop();
    engine.settle();
    assertThat(inbox.hasMessages()).isFalse();
    assertThat(engine.pool.available()).isEqualTo(engine.pool.capacity());
    engine.close();
  }

  private static byte[] text(int number) {
    return ("task " + number).repeat(number + 1).getBytes(StandardCharsets.US_ASCII);
  }

  private TaskBatch batch(int count) {
    List<Buffer> sources = new ArrayList<>();
    List<Buffer> destinations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sources.add(engine.buffer(text(i)));
      destinations.add(engine.buffer());
    }
    return TaskBatch.of(sources, destinations);
  }

  private void run(TaskBatch batch, long tag) {
    node.load()
        .accept(new CompressProtocol.Batch(TaskKind.COMPRESS_DEFLATE, batch, tag, inbox.getRef()));
  }

  private static void release(TaskBatch batch) {
    batch.close();
    batch.sources().forEach(Buffer::release);
    batch.destinations().forEach(Buffer::release);
  }

  private static void checkChecksums(TaskBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      CRC32 crc = new CRC32();
      crc.update(text(i));
      assertThat(batch.results().isDone(i)).isTrue();
      assertThat(batch.results().crc32(i)).isEqualTo((int) crc.getValue());
      assertThat(batch.destinations().get(i).length())
          .isPositive()
          .isEqualTo(batch.results().produced(i));
    }
  }

  @Test
  void moreThanTheWindowGoesThroughAndIsAnsweredOnce() {
    engine.settle();
    TaskBatch batch = batch(20);
    run(batch, 7);
    assertThat(node.load().inFlight()).isEqualTo(1);
    assertThat(inbox.hasMessages()).isFalse();
    engine.settle();
    assertThat(inbox.receiveMessage()).isEqualTo(new Ended(7, batch));
    assertThat(batch.results().failures()).isZero();
    assertThat(batch.results()).hasToString("20 done");
    checkChecksums(batch);
    release(batch);
  }

  @Test
  void eachRepetitionHasOtherContent() {
    engine.settle();
    TaskBatch batch = batch(3);
    for (int length : new int[] {5, 1, 6}) {
      for (int i = 0; i < 3; i++) {
        batch.sources().get(i).bytes().clear().put("abcdef".getBytes(StandardCharsets.US_ASCII));
        batch.sourceLength(i, length);
      }
      run(batch, length);
      engine.settle();
      assertThat(inbox.receiveMessage()).isEqualTo(new Ended(length, batch));
      CRC32 crc = new CRC32();
      crc.update("abcdef".getBytes(StandardCharsets.US_ASCII), 0, length);
      for (int i = 0; i < 3; i++) {
        assertThat(batch.results().crc32(i)).isEqualTo((int) crc.getValue());
      }
    }
    release(batch);
  }

  @Test
  void aBatchWaitsForAContextThatIsStarting() {
    TaskBatch batch = batch(3);
    run(batch, 1);
    engine.settle();
    assertThat(inbox.receiveMessage()).isEqualTo(new Ended(1, batch));
    checkChecksums(batch);
    release(batch);
  }

  @Test
  void inTheQueueItIsOneRequest() {
    List<TaskBatch> waiting = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      waiting.add(batch(2));
      run(waiting.get(i), i);
    }
    TaskBatch beyond = batch(2);
    run(beyond, 16);
    BatchReply busy = inbox.receiveMessage();
    assertThat(busy)
        .isInstanceOfSatisfying(Busy.class, one -> assertThat(one.queued()).isEqualTo(16));
    assertThat(busy.tag()).isEqualTo(16);
    assertThat(busy.batch()).isSameAs(beyond);
    release(beyond);
    engine.settle();
    List<BatchReply> replies = inbox.getAllReceived();
    for (int i = 0; i < 16; i++) {
      assertThat(replies).contains(new Ended(i, waiting.get(i)));
      release(waiting.get(i));
    }
    assertThat(replies).hasSize(16);
  }

  @Test
  void singleTasksKeepTheirPlaceBesideIt() {
    engine.settle();
    TestInbox<TaskReply> replies = TestInbox.create();
    TaskBatch batch = batch(20);
    Buffer src = engine.buffer(text(1));
    Buffer dst = engine.buffer();
    run(batch, 1);
    node.load().accept(new CompressProtocol.Deflate(src, dst, 9, replies.getRef()));
    engine.settle();
    assertThat(inbox.receiveMessage()).isEqualTo(new Ended(1, batch));
    assertThat(replies.receiveMessage()).isInstanceOf(TaskReply.Completed.class);
    src.release();
    dst.release();
    release(batch);
  }

  @Test
  void aFailedTaskAffectsNoOtherTaskOfItsBatch() {
    FreshSoftDpu.DEVICE.faults("compress-deflate:fail=IO_FAILED:nth=2");
    engine.settle();
    TaskBatch batch = batch(5);
    run(batch, 1);
    engine.settle();
    assertThat(inbox.receiveMessage()).isEqualTo(new Ended(1, batch));
    assertThat(batch.results().failures()).isEqualTo(1);
    assertThat(batch.results().isDone(0)).isTrue();
    assertThat(code(batch, 1)).isEqualTo(DocaCode.IO_FAILED);
    assertThat(batch.destinations().get(0).length()).isPositive();
    assertThat(batch.destinations().get(1).length()).isZero();
    assertThat(batch.results()).hasToString("4 done, 1 failed: " + batch.results().error(1));
    release(batch);
  }

  private static DocaCode code(TaskBatch batch, int task) {
    return Objects.requireNonNull(batch.results().error(task)).code();
  }

  @Test
  void submissionsRefusedWithAgainAreRetried() {
    FreshSoftDpu.DEVICE.faults("compress-deflate:again=3:nth=4");
    engine.settle();
    TaskBatch batch = batch(20);
    run(batch, 1);
    engine.settle();
    assertThat(inbox.receiveMessage()).isEqualTo(new Ended(1, batch));
    checkChecksums(batch);
    release(batch);
  }

  @Test
  void anInvalidRequestFailsTheBatchBeforeAnySubmission() {
    engine.settle();
    TaskBatch batch = batch(5);
    batch.sourceLength(3, 0);
    run(batch, 1);
    assertThat(failed(Ownership.RETURNED).error().about())
        .contains("the source of task 3 is empty");
    batch.sourceLength(3, 1);
    run(batch, 2);
    run(batch, 3);
    BatchFailed again = failed(Ownership.RETURNED);
    assertThat(again.tag()).isEqualTo(3);
    assertThat(again.error().about()).contains("in use or closed");
    assertThatThrownBy(batch::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("RUNNING");
    engine.settle();
    assertThat(inbox.receiveMessage()).isEqualTo(new Ended(2, batch));
    batch.close();
    run(batch, 4);
    assertThat(failed(Ownership.RETURNED).error().about()).contains("closed");
    release(batch);
    TaskBatch sends = TaskBatch.ofSends(List.of(engine.buffer(text(1))));
    run(sends, 5);
    assertThat(failed(Ownership.RETURNED).error().about())
        .contains("the batch has other buffers than these tasks");
    release(sends);
  }

  private BatchFailed failed(Ownership ownership) {
    BatchFailed failed = (BatchFailed) inbox.receiveMessage();
    assertThat(failed.ownership()).isEqualTo(ownership);
    return failed;
  }

  @Test
  void atItsDeadlineItIsAnsweredAndItsBuffersReturnLater() {
    engine.settle();
    FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its tasks
    TaskBatch begun = batch(10);
    TaskBatch waits = batch(10);
    run(begun, 1);
    run(waits, 2);
    engine.turn();
    engine.advance(2 * ManualEngine.SECOND);
    engine.turn();
    BatchFailed first = failed(Ownership.RETAINED);
    assertThat(first.batch()).isSameAs(begun);
    assertThat(first.error().code()).isEqualTo(DocaCode.TIME_OUT);
    assertThat(failed(Ownership.RETURNED).batch()).isSameAs(waits);
    release(waits);
    assertThat(engine.pool.available()).isEqualTo(engine.pool.capacity() - 20);
    untilTheDeviceHasNothing();
    assertThat(engine.pool.available()).isEqualTo(engine.pool.capacity());
  }

  private void untilTheDeviceHasNothing() {
    FreshSoftDpu.DEVICE.manualClock(false);
    engine.settle();
    assertThat(node.load().inFlight()).isZero();
  }

  @Test
  void aStoppingContextFinishesSubmittedTasksAndReportsTheRest() {
    engine.settle();
    TaskBatch begun = batch(12);
    TaskBatch waits = batch(3);
    run(begun, 1);
    run(waits, 2);
    node.stop();
    assertThat(failed(Ownership.RETURNED).error().code()).isEqualTo(DocaCode.SHUTDOWN);
    TaskBatch late = batch(1);
    run(late, 3);
    assertThat(failed(Ownership.RETURNED).error().code()).isEqualTo(DocaCode.SHUTDOWN);
    engine.settle();
    assertThat(inbox.receiveMessage()).isEqualTo(new Ended(1, begun));
    assertThat(begun.results().failures()).isEqualTo(4);
    assertThat(begun.results().isDone(7)).isTrue();
    assertThat(code(begun, 8)).isEqualTo(DocaCode.SHUTDOWN);
    List.of(begun, waits, late).forEach(BatchTest::release);
  }

  @Test
  void aHolderThatEndsLosesNothing() {
    engine.settle();
    FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its tasks
    LeaseScope holder = engine.pool.scope("holder");
    TaskBatch idle = TaskBatch.of(held(holder), held(holder));
    TaskBatch runs = TaskBatch.of(held(holder), held(holder));
    run(runs, 1);
    engine.turn();
    holder.end();
    assertThat(engine.pool.available()).isEqualTo(engine.pool.capacity() - 4);
    run(idle, 2);
    assertThat(failed(Ownership.RETURNED).error().about()).contains("closed");
    untilTheDeviceHasNothing();
    assertThat(inbox.receiveMessage()).isEqualTo(new Ended(1, runs));
    assertThat(engine.pool.available()).isEqualTo(engine.pool.capacity());
  }

  private static List<Buffer> held(LeaseScope holder) {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Buffer buffer = Objects.requireNonNull(holder.lease());
      buffer.length(10);
      buffers.add(buffer);
    }
    return buffers;
  }

  @Test
  void inconsistentArgumentsMakeNoBatch() {
    List<Buffer> none = List.of();
    List<Buffer> one = List.of(engine.buffer(text(1)));
    List<Buffer> other = List.of(engine.buffer());
    for (List<List<Buffer>> pair :
        List.of(List.of(none, none), List.of(one, none), List.of(one, one))) {
      assertThatThrownBy(() -> TaskBatch.of(pair.get(0), pair.get(1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    TaskBatch batch = TaskBatch.of(one, other);
    assertThatThrownBy(() -> batch.sources().get(0).release())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(
            () ->
                new CompressProtocol.Batch(
                    TaskKind.DECOMPRESS_LZ4_STREAM, batch, 0, inbox.getRef()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LZ4_STREAM");
    release(batch);
    assertThatThrownBy(() -> TaskBatch.of(one, other)).isInstanceOf(IllegalStateException.class);
    assertThat(one.get(0).isLent()).isFalse();
  }
}
