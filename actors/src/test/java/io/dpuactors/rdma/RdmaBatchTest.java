package io.dpuactors.rdma;

import static io.dpuactors.bridge.TaskKind.RDMA_READ;
import static io.dpuactors.bridge.TaskKind.RDMA_SEND;
import static io.dpuactors.bridge.TaskKind.RDMA_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests messages with many tasks of an RDMA connection. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaBatchTest {
  private static final int COUNT = RdmaBatches.COUNT;

  /** The batches exceed the window, and run again with other content. */
  @Test
  void everyWriteAndEveryReadReachesItsPart() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaBatches batches = new RdmaBatches(system);
      TaskBatch writes = batches.of(RDMA_WRITE);
      TaskBatch reads = batches.of(RDMA_READ);
      for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < COUNT; i++) {
          writes.sources().get(i).bytes().put(0, (byte) (round + i));
        }
        batches.send(RDMA_WRITE, writes, round);
        batches.send(RDMA_READ, reads, -round);
        batches.expectDone(writes, round);
        batches.expectDone(reads, -round);
        for (int i = 0; i < COUNT; i++) {
          assertThat(batches.at(i)).isEqualTo((byte) (round + i));
          assertThat(writes.destinations().get(i).length()).isEqualTo(RdmaBatches.BYTES);
          assertThat(reads.destinations().get(i).length()).isEqualTo(RdmaBatches.BYTES);
          assertThat(reads.destinations().get(i).bytes().get(0)).isEqualTo((byte) (round + i));
        }
      }
      RdmaBatches.release(writes);
      RdmaBatches.release(reads);
      batches.assertNothingLeft();
    }
  }

  @Test
  void messagesOfABatchArriveInOrderBetweenOtherRequests() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaBatches batches = new RdmaBatches(system);
      RdmaPair pair = batches.pair;
      pair.read(COUNT + 2);
      TaskBatch sends = batches.of(RDMA_SEND);
      pair.near.tell(new Send(null, OptionalInt.of(1), 1, pair.replies.getRef()));
      batches.send(RDMA_SEND, sends, 2);
      pair.near.tell(new Send(null, OptionalInt.of(3), 3, pair.replies.getRef()));
      assertThat(((Message) pair.events.receiveMessage()).immediate()).hasValue(1);
      for (int i = 0; i < COUNT; i++) {
        assertThat(((Message) pair.events.receiveMessage()).bytes()[0]).isEqualTo((byte) (1 + i));
      }
      assertThat(((Message) pair.events.receiveMessage()).immediate()).hasValue(3);
      batches.expectDone(sends, 2);
      assertThat(pair.replies.receiveSeveralMessages(2)).allMatch(Completed.class::isInstance);
      RdmaBatches.release(sends);
      batches.assertNothingLeft();
    }
  }

  /** The tasks before the failed one have their effect. The device executes none of the others. */
  @ParameterizedTest
  @EnumSource(names = {"RDMA_WRITE", "RDMA_READ", "RDMA_SEND"})
  void aFailedTaskFailsTheLaterOnesAndEndsTheConnection(TaskKind kind) {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaBatches batches = new RdmaBatches(system);
      batches.pair.read(COUNT);
      TaskBatch batch = batches.of(kind);
      String device = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
      FreshSoftDpu.DEVICE.faults(device + ":fail=IO_FAILED:nth=10");
      batches.send(kind, batch, 7);
      assertThat(batches.answers.receiveMessage()).isEqualTo(new BatchReply.Ended(7, batch));
      assertThat(batch.results().firstFailure()).isEqualTo(9);
      assertThat(batch.results().failures()).isEqualTo(COUNT - 9);
      batches.answers.expectTerminated(batches.pair.near);
      batches.answers.expectTerminated(batches.pair.far);
      if (kind == RDMA_WRITE) {
        assertThat(IntStream.range(0, COUNT).filter(i -> batches.at(i) != 0)).hasSize(9);
      }
      RdmaBatches.release(batch);
      batches.assertNothingLeft();
    }
  }

  /** Batches that the device would answer by ending the connection do not reach it. */
  @Test
  void buffersAreCheckedBeforeSubmission() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaBatches batches = new RdmaBatches(system);
      RdmaPair pair = batches.pair;
      BufferPool other = pair.imported(pair.share(pair.shared(Permission.RDMA_READ)));
      Buffer readable = RdmaPair.aimed(other, 0, 1);
      Buffer small = RdmaPair.aimed(batches.remote, 0, RdmaBatches.BYTES - 1);
      List<Buffer> locals = batches.locals(1, 2);
      List<Buffer> remotes = batches.remotes(2);
      TaskBatch ungranted = TaskBatch.of(locals, List.of(remotes.get(0), readable));
      assertThat(refused(batches, RDMA_WRITE, ungranted)).contains("task 1", "the task needs");
      TaskBatch tooLong = TaskBatch.of(locals, List.of(remotes.get(0), small));
      assertThat(refused(batches, RDMA_WRITE, tooLong)).contains("task 1", "8 bytes do not fit");
      TaskBatch turned = TaskBatch.of(remotes, locals);
      assertThat(refused(batches, RDMA_WRITE, turned)).contains("task 0", "is memory of the peer");
      TaskBatch remoteSends = TaskBatch.ofSends(List.of(locals.get(0), remotes.get(1)));
      assertThat(refused(batches, RDMA_SEND, remoteSends)).contains("task 1", "of the peer");
      assertThat(refused(batches, RDMA_SEND, turned)).contains("other buffers than these tasks");
      assertThat(refused(batches, RDMA_READ, remoteSends)).contains("other buffers");
      assertThatThrownBy(
              () -> new Batch(TaskKind.RDMA_FETCH_AND_ADD, turned, 1, batches.answers.getRef()))
          .isInstanceOf(IllegalArgumentException.class);
      batches.send(RDMA_READ, turned, 2);
      assertThat(batches.answers.receiveMessage()).isInstanceOf(BatchReply.Ended.class);
      assertThat(turned.results().failures()).isZero();
      List.of(ungranted, tooLong, remoteSends).forEach(TaskBatch::close);
      RdmaBatches.release(turned);
      small.release();
      readable.release();
      batches.assertNothingLeft();
    }
  }

  /** The device would end the connection for such memory. */
  @Test
  void aBatchWithMemoryOfAnotherDeviceIsRefused() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaBatches batches = new RdmaBatches(system);
      Buffer foreign = RdmaPair.foreign(system);
      foreign.length(RdmaBatches.BYTES);
      List<Buffer> locals = List.of(batches.locals(1, 1).get(0), foreign);
      TaskBatch sends = TaskBatch.ofSends(locals);
      assertThat(refused(batches, RDMA_SEND, sends)).contains("another device");
      TaskBatch reads = TaskBatch.of(batches.remotes(2), locals);
      assertThat(refused(batches, RDMA_READ, reads)).contains("another device");
      TaskBatch writes = batches.writes(1);
      batches.send(RDMA_WRITE, writes, 2);
      batches.expectDone(writes, 2);
      sends.close();
      RdmaBatches.release(reads);
      RdmaBatches.release(writes);
      batches.assertNothingLeft();
    }
  }

  private static String refused(RdmaBatches batches, TaskKind kind, TaskBatch batch) {
    batches.send(kind, batch, 1);
    BatchFailed failed = (BatchFailed) batches.answers.receiveMessage();
    assertThat(failed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
    return failed.error().toString();
  }

  /** The engine handles the three messages before the device's next turn. */
  @Test
  void aBatchBeyondWindowAndQueueGetsBusyAndCanBeSentAgain() {
    try (RunningSystem system = RunningSystem.create("dpu.rdma.queue = 1")) {
      RdmaBatches batches = new RdmaBatches(system);
      TaskBatch first = batches.writes(1);
      TaskBatch second = batches.writes(2);
      TaskBatch third = batches.writes(3);
      BlockPoint blocked = system.blockEngine();
      batches.send(RDMA_WRITE, first, 1);
      batches.send(RDMA_WRITE, second, 2);
      batches.send(RDMA_WRITE, third, 3);
      blocked.release();
      BatchReply busy = batches.answers.receiveMessage();
      assertThat(busy).isInstanceOf(Busy.class);
      assertThat(busy.tag()).isEqualTo(3);
      assertThat(((Busy) busy).queued()).isEqualTo(1);
      assertThat(busy.batch()).isSameAs(third);
      batches.expectDone(first, 1);
      batches.expectDone(second, 2);
      batches.send(RDMA_WRITE, third, 4);
      batches.expectDone(third, 4);
      List.of(first, second, third).forEach(RdmaBatches::release);
      batches.assertNothingLeft();
    }
  }

  /** The engine handles all messages before the device's next turn. */
  @Test
  void aStopCompletesEarlierBatchesAndRefusesLaterOnes() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaBatches batches = new RdmaBatches(system);
      TaskBatch first = batches.writes(1);
      TaskBatch second = batches.writes(2);
      TaskBatch third = batches.writes(3);
      BlockPoint blocked = system.blockEngine();
      batches.send(RDMA_WRITE, first, 1);
      batches.send(RDMA_WRITE, second, 2);
      batches.pair.near.tell(new Stop());
      batches.send(RDMA_WRITE, third, 3);
      blocked.release();
      BatchFailed failed = (BatchFailed) batches.answers.receiveMessage();
      assertThat(failed.batch()).isSameAs(third);
      assertThat(failed.error().code()).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
      batches.expectDone(first, 1);
      batches.expectDone(second, 2);
      batches.answers.expectTerminated(batches.pair.near);
      List.of(first, second, third).forEach(RdmaBatches::release);
      batches.assertNothingLeft();
    }
  }

  /** The device holds a part of the first batch at its deadline; the second one waits. */
  @Test
  void aLateBatchIsAnsweredAtItsDeadline() {
    try (RunningSystem system = RunningSystem.create("dpu.rdma.deadline = 50ms")) {
      RdmaBatches batches = new RdmaBatches(system);
      FreshSoftDpu.DEVICE.faults("rdma-write:delay=1s");
      TaskBatch first = batches.writes(1);
      TaskBatch second = batches.writes(2);
      batches.send(RDMA_WRITE, first, 1);
      batches.send(RDMA_WRITE, second, 2);
      List<BatchReply> late = batches.answers.receiveSeveralMessages(2);
      assertThat(late)
          .extracting(reply -> ((BatchFailed) reply).error().code())
          .containsOnly(DocaCode.TIME_OUT);
      assertThat(late)
          .filteredOn(reply -> ((BatchFailed) reply).ownership() == Ownership.RETAINED)
          .extracting(BatchReply::tag)
          .containsExactly(1L);
      RdmaBatches.release(second);
      batches.there.release();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
      batches.answers.expectNoMessage(Duration.ZERO);
    }
  }

  /** The peer's context grants less than its memory: only the device has this information. */
  @Test
  void aViolationFailsEveryTask() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaBatches batches = new RdmaBatches(system, RdmaOptions.defaults());
      TaskBatch writes = batches.writes(1);
      batches.send(RDMA_WRITE, writes, 1);
      assertThat(batches.answers.receiveMessage()).isEqualTo(new BatchReply.Ended(1, writes));
      assertThat(writes.results().failures()).isEqualTo(COUNT);
      assertThat(IntStream.range(0, COUNT)).allMatch(i -> batches.at(i) == 0);
      batches.answers.expectTerminated(batches.pair.near);
      RdmaBatches.release(writes);
      batches.assertNothingLeft();
    }
  }
}
