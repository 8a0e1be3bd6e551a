package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.loop.ActorMoment;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.Inflate;
import io.dpuactors.protocol.CompressProtocol.Lz4Block;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.TaskRequest;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that every request gets exactly one answer, for each outcome of a task. The engine runs on
 * the software DPU, and the test runs its turns.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class TaskLaneTest {
  private static final byte[] TEXT =
      "so much depends upon a red wheel barrow".getBytes(StandardCharsets.US_ASCII);
  private static final LaneSettings SETTINGS = new LaneSettings(8, 16, ManualEngine.SECOND);

  private final TestInbox<TaskReply> inbox = TestInbox.create();
  private ManualEngine engine;

  @BeforeEach
  void inline() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(128);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void deflatesAndInflates() {
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    node.load().accept(deflate(1, TEXT));
    engine.settle();
    Completed deflated = (Completed) onlyReply();
    CRC32 crc = new CRC32();
    crc.update(TEXT);
    assertThat(deflated.tag()).isEqualTo(1);
    assertThat(deflated.crc32()).isEqualTo((int) crc.getValue());
    Buffer plain = engine.buffer();
    node.load().accept(new Inflate(deflated.dst(), plain, 2, inbox.getRef()));
    engine.settle();
    Completed inflated = (Completed) onlyReply();
    byte[] back = new byte[inflated.dst().length()];
    inflated.dst().bytes().get(0, back);
    assertThat(back).isEqualTo(TEXT);
    releaseBuffers(deflated.src(), deflated.dst(), plain);
    stop(node);
  }

  @Test
  void keepsNoMoreInFlightThanItsWindowAndTheRestInOrder() {
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    for (int i = 0; i < 8 + 16; i++) {
      node.load().accept(deflate(i, TEXT));
    }
    assertThat(node.load().inFlight()).isEqualTo(8);
    assertThat(node.load().waiting()).isEqualTo(16);
    engine.settle();
    assertThat(replies()).hasSize(24).allSatisfy(r -> assertThat(r).isInstanceOf(Completed.class));
    stop(node);
  }

  @Test
  void answersBusyBeyondItsQueueAndReturnsTheBuffers() {
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    for (int i = 0; i < 8 + 16 + 1; i++) {
      node.load().accept(deflate(i, TEXT));
    }
    TaskReply busy = onlyReply();
    assertThat(busy.tag()).isEqualTo(24);
    assertThat(((Busy) busy).queued()).isEqualTo(16);
    releaseBuffers(busy.src(), busy.dst());
    engine.settle();
    assertThat(replies()).hasSize(24);
    stop(node);
  }

  /** The entries stay in the ring, and a later turn submits them. */
  @Test
  void aFailedSubmissionAtTheEndOfAContextFailsTheNextTurn() {
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    for (int i = 0; i < 8 + 16; i++) {
      node.load().accept(deflate(i, TEXT));
    }
    engine.core.moments().listen(TaskLaneTest::failSubmission);
    node.close();
    engine.core.moments().listen(moment -> {});
    assertThatThrownBy(engine::turn).hasMessage("planted fault");
    engine.settle();
    assertThat(replies()).hasSize(24);
    assertThat(engine.core.isVacant()).isTrue();
  }

  private static void failSubmission(ActorMoment moment) {
    if (moment == ActorMoment.SUBMIT) {
      throw new IllegalStateException("planted fault");
    }
  }

  @Test
  void aTaskThatTheDeviceFailsIsAnsweredWithItsError() {
    FreshSoftDpu.DEVICE.faults("compress-deflate:fail=IO_FAILED:nth=2");
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    for (int i = 1; i <= 3; i++) {
      node.load().accept(deflate(i, TEXT));
    }
    engine.settle();
    List<TaskReply> replies = replies();
    assertThat(replies).hasSize(3);
    Failed failed =
        (Failed) replies.stream().filter(r -> r instanceof Failed).findFirst().orElseThrow();
    assertThat(failed.tag()).isEqualTo(2);
    assertThat(failed.code()).isEqualTo(DocaCode.IO_FAILED);
    assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
    assertThat(failed.error().about()).contains("compress");
    stop(node);
  }

  @Test
  void aTaskThatTheDeviceReportsTwiceHasOneAnswer() {
    FreshSoftDpu.DEVICE.faults("compress-deflate:twice");
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    for (int i = 1; i <= 3; i++) {
      node.load().accept(deflate(i, TEXT));
    }
    engine.settle();
    assertThat(replies())
        .hasSize(3)
        .allSatisfy(reply -> assertThat(reply).isInstanceOf(Completed.class));
    assertThat(engine.core.lateRecords()).isEqualTo(3);
    assertThat(node.load().inFlight()).isZero();
    stop(node);
  }

  @Test
  void againNeverReachesTheUserAndKeepsTheOrder() {
    FreshSoftDpu.DEVICE.nullDevice(true);
    FreshSoftDpu.DEVICE.faults("compress-deflate:again=3:nth=2");
    ContextNode<TaskLane<DeviceRequest>> node =
        running(new LaneSettings(1, 16, ManualEngine.SECOND));
    for (int i = 0; i < 6; i++) {
      node.load().accept(deflate(i, TEXT));
    }
    engine.settle();
    assertThat(replies()).extracting(TaskReply::tag).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    stop(node);
  }

  @Test
  void againForTooLongEndsAtTheDeadline() {
    FreshSoftDpu.DEVICE.faults("compress-deflate:again=1000000");
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    node.load().accept(deflate(1, TEXT));
    node.load().accept(deflate(2, TEXT));
    settleOver(10, ManualEngine.SECOND / 8);
    assertThat(replies())
        .hasSize(2)
        .allSatisfy(
            reply -> {
              Failed failed = (Failed) reply;
              assertThat(failed.code()).isEqualTo(DocaCode.TIME_OUT);
              assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
            });
    FreshSoftDpu.DEVICE.clearFaults();
    stop(node);
  }

  @Test
  void requestsAfterAFinallyRefusedOneComplete() {
    FreshSoftDpu.DEVICE.faults("compress-deflate:again=1000000");
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    node.load().accept(deflate(1, TEXT));
    settleOver(10, ManualEngine.SECOND / 8);
    assertThat(replies()).hasSize(1).first().isInstanceOf(Failed.class);
    FreshSoftDpu.DEVICE.clearFaults();
    node.load().accept(deflate(2, TEXT));
    engine.settle();
    assertThat(replies()).hasSize(1).first().isInstanceOf(Completed.class);
    stop(node);
  }

  @Test
  void aLateTaskIsAnsweredAtItsDeadlineAndItsBuffersReturnLater() {
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its tasks
    node.load().accept(deflate(1, TEXT));
    engine.turn();
    engine.advance(2 * ManualEngine.SECOND);
    engine.turn();
    Failed failed = (Failed) inbox.receiveMessage();
    assertThat(failed.code()).isEqualTo(DocaCode.TIME_OUT);
    assertThat(failed.ownership()).isEqualTo(Ownership.RETAINED);
    assertThat(engine.pool.available()).isEqualTo(engine.pool.capacity() - 2);
    // The late completion causes no second answer, and no buffer is lost.
    FreshSoftDpu.DEVICE.manualClock(false);
    engine.settle();
    assertThat(node.load().inFlight()).isZero();
    assertThat(inbox.hasMessages()).isFalse();
    assertThat(engine.pool.available()).isEqualTo(engine.pool.capacity());
    stop(node);
  }

  @Test
  void impossibleRequestsAreRefusedWithAReason() {
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    Buffer same = engine.buffer(TEXT);
    node.load().accept(new Deflate(same, same, 1, inbox.getRef()));
    expectInvalid("same buffer");
    Buffer empty = engine.buffer();
    node.load().accept(new Deflate(empty, same, 2, inbox.getRef()));
    expectInvalid("empty");
    node.load().accept(new Lz4Block(same, empty, 3, inbox.getRef()));
    assertThat(((Failed) inbox.receiveMessage()).code()).isEqualTo(DocaCode.NOT_SUPPORTED);
    releaseBuffers(same);
    node.load().accept(new Deflate(same, empty, 4, inbox.getRef()));
    expectInvalid("returned to its pool");
    releaseBuffers(empty);
    stop(node);
  }

  @Test
  void aBufferIsNotReturnedWhileItsRequestWaits() {
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    for (int i = 0; i < 8; i++) {
      node.load().accept(deflate(i, TEXT));
    }
    Deflate shared = (Deflate) deflate(8, TEXT);
    node.load().accept(shared);
    assertThatThrownBy(() -> shared.src().release())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is lent to a context");
    node.load().accept(deflate(9, TEXT));
    engine.settle();
    List<TaskReply> all = inbox.getAllReceived();
    assertThat(all).hasSize(10);
    for (TaskReply reply : all) {
      assertThat(reply).isInstanceOf(Completed.class);
      releaseBuffers(reply);
    }
    stop(node);
  }

  @Test
  void requestsThatArriveBeforeTheContextRunsWaitForIt() {
    ContextNode<TaskLane<DeviceRequest>> node = engine.open("compress", SETTINGS);
    node.load().accept(deflate(1, TEXT));
    assertThat(inbox.hasMessages()).isFalse();
    engine.settle();
    assertThat(replies()).hasSize(1).first().isInstanceOf(Completed.class);
    stop(node);
  }

  @Test
  void retireLetsTheDeviceFinishAndRefusesTheRest() {
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    for (int i = 0; i < 12; i++) {
      node.load().accept(deflate(i, TEXT));
    }
    node.stop();
    node.load().accept(deflate(12, TEXT));
    engine.settle();
    List<TaskReply> replies = replies();
    assertThat(replies).hasSize(13);
    assertThat(replies.stream().filter(r -> r instanceof Completed)).hasSize(8);
    assertThat(replies.stream().filter(r -> r instanceof Failed f && f.code() == DocaCode.SHUTDOWN))
        .hasSize(5);
    assertThat(engine.events).containsExactly("compress running", "compress gone");
  }

  @Test
  void closeAnswersAllRequestsAndSendsNoEvent() {
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    for (int i = 0; i < 12; i++) {
      node.load().accept(deflate(i, TEXT));
    }
    node.close();
    engine.settle();
    assertThat(replies()).hasSize(12);
    assertThat(engine.events).containsExactly("compress running");
  }

  @Test
  void aSuccessorWaitsForItsPredecessorsNativeHalf() {
    ContextNode<TaskLane<DeviceRequest>> first = running(SETTINGS);
    first.load().accept(deflate(1, TEXT));
    first.close();
    ContextNode<TaskLane<DeviceRequest>> second = engine.open("compress", SETTINGS);
    second.load().accept(deflate(2, TEXT));
    engine.settle();
    assertThat(first.isGone()).isTrue();
    assertThat(replies()).extracting(TaskReply::tag).containsExactly(1L, 2L);
    stop(second);
  }

  @Test
  void aDeviceThatGoesAwayFailsTheContextAndAnswersEveryRequest() {
    FreshSoftDpu.DEVICE.faults("compress-deflate:lost:nth=3");
    ContextNode<TaskLane<DeviceRequest>> node = running(SETTINGS);
    for (int i = 0; i < 12; i++) {
      node.load().accept(deflate(i, TEXT));
    }
    engine.settle();
    assertThat(replies()).hasSize(12);
    assertThat(engine.events)
        .containsExactly("compress running", "compress failed UNEXPECTED", "compress gone");
  }

  private ContextNode<TaskLane<DeviceRequest>> running(LaneSettings settings) {
    ContextNode<TaskLane<DeviceRequest>> node = engine.open("compress", settings);
    engine.settle();
    assertThat(engine.events).containsExactly("compress running");
    return node;
  }

  private void stop(ContextNode<TaskLane<DeviceRequest>> node) {
    node.stop();
    engine.settle();
    assertThat(node.isGone()).isTrue();
  }

  private TaskRequest deflate(long tag, byte[] content) {
    return new Deflate(engine.buffer(content), engine.buffer(), tag, inbox.getRef());
  }

  private TaskReply onlyReply() {
    TaskReply reply = inbox.receiveMessage();
    assertThat(inbox.hasMessages()).isFalse();
    return reply;
  }

  /** Returns all replies so far and releases their buffers; a second release would fail. */
  private List<TaskReply> replies() {
    List<TaskReply> replies = inbox.getAllReceived();
    replies.forEach(TaskLaneTest::releaseBuffers);
    return replies;
  }

  private static void releaseBuffers(TaskReply reply) {
    if (reply instanceof Completed done) {
      releaseBuffers(done.src(), done.dst());
    } else if (reply instanceof Failed failed && failed.ownership() == Ownership.RETURNED) {
      releaseBuffers(failed.src(), failed.dst());
    } else if (reply instanceof Busy) {
      releaseBuffers(reply.src(), reply.dst());
    }
  }

  private void expectInvalid(String why) {
    Failed failed = (Failed) inbox.receiveMessage();
    assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(failed.error().about()).contains(why);
  }

  private static void releaseBuffers(Buffer... buffers) {
    for (Buffer buffer : buffers) {
      buffer.release();
    }
  }

  private void settleOver(int steps, long stepNs) {
    for (int i = 0; i < steps; i++) {
      engine.settle();
      engine.advance(stepNs);
    }
    engine.settle();
  }
}
