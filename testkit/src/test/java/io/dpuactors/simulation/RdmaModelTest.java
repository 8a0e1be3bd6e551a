package io.dpuactors.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Read;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testkit.HeapBuffers;
import java.util.List;
import java.util.OptionalInt;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what a client of an RDMA server expects of its memory and its messages. */
class RdmaModelTest {
  private static final OptionalInt NONE = OptionalInt.empty();

  private final BufferPool pool = HeapBuffers.pool(2, RdmaProgram.BYTES);
  private final Buffer here = requireNonNull(pool.lease());
  private final Buffer there = requireNonNull(pool.lease());
  private final ActorRef<Reply> replyTo = TestInbox.<Reply>create().getRef();
  private final ActorRef<BatchReply> batchReplyTo = TestInbox.<BatchReply>create().getRef();
  private final Run run = Runs.of(new StillControl());
  private final RdmaModel model =
      new RdmaModel(
          run,
          false,
          "client0",
          false,
          new RdmaAtomics(run, 0, new Additions()),
          new RdmaCounter(run));

  @AfterEach
  void closePool() {
    here.release();
    there.release();
    pool.close();
  }

  private static byte[] bytes(int number) {
    return EchoMessage.of(number, RdmaProgram.BYTES);
  }

  private void write(int number, OptionalInt immediate) {
    model.sent(new Write(here, there, immediate, number, replyTo));
    model.answered(new Completed(number, here, there));
  }

  private void failedWrite(int number, OptionalInt immediate) {
    DocaError error = DocaError.of("doca_task", DocaCode.IO_FAILED.value(), "why");
    model.sent(new Write(here, there, immediate, number, replyTo));
    model.answered(new Failed(number, error, here, there, Ownership.RETURNED));
  }

  /** Reads these bytes. */
  private void read(int tag, byte[] found) {
    model.sent(new Read(there, here, tag, replyTo));
    here.bytes().clear().put(found);
    here.length(found.length);
    model.answered(new Completed(tag, there, here));
  }

  private void send(int number, OptionalInt immediate) {
    model.sent(new Send(here, immediate, number, replyTo));
    model.answered(new Completed(number, here, null));
  }

  @Test
  void aReadFindsTheLastWrite() {
    write(0, NONE);
    write(1, NONE);
    read(2, bytes(1));
    assertThat(run.problem()).isNull();
    read(3, bytes(0));
    assertThat(run.problem()).isEqualTo("client0 read 0 instead of 1");
  }

  @Test
  void afterAFailedWriteAReadFindsItOrAnEarlierOne() {
    failedWrite(0, NONE);
    read(1, new byte[RdmaProgram.BYTES]);
    read(2, bytes(0));
    assertThat(run.problem()).isNull();
    read(3, bytes(1));
    assertThat(run.problem()).isEqualTo("client0 read 1 instead of 0");
  }

  /** The device may do the write after those of the next connection. */
  @Test
  void aReadFindsAnEarlierWriteAfterAConnectionThatEndedWithoutAnAnswer() {
    write(0, NONE);
    model.sent(new Write(here, there, NONE, 1, replyTo));
    model.disconnected();
    read(2, bytes(0));
    assertThat(run.problem()).isNull();
  }

  @Test
  void aReadFindsTheLastWriteAfterAConnectionThatEndedWithAllAnswers() {
    write(0, NONE);
    write(1, NONE);
    model.sent(new Read(there, here, 2, replyTo));
    model.disconnected();
    read(3, bytes(0));
    assertThat(run.problem()).isEqualTo("client0 read 0 instead of 1");
  }

  @Test
  void aMessageReturnsWithItsImmediateData() {
    send(0, OptionalInt.of(0));
    send(1, NONE);
    send(2, NONE);
    model.messages().received(new Message(bytes(0), OptionalInt.of(0)));
    model.messages().received(new Message(bytes(1), NONE));
    assertThat(run.problem()).isNull();
    model.messages().received(new Message(bytes(2), OptionalInt.of(2)));
    assertThat(run.problem()).isEqualTo("message 2 of client0 returned with OptionalInt[2]");
  }

  @Test
  void aMessageReturnsWithoutTheDataOfAnother() {
    send(5, OptionalInt.of(5));
    model.messages().received(new Message(bytes(5), OptionalInt.of(4)));
    assertThat(run.problem()).isEqualTo("message 5 of client0 returned with OptionalInt[4]");
  }

  @Test
  void messagesReturnInTheirOrder() {
    send(0, NONE);
    send(1, NONE);
    model.messages().received(new Message(bytes(1), NONE));
    assertThat(run.problem()).isNull();
    model.messages().received(new Message(bytes(0), NONE));
    assertThat(run.problem()).isEqualTo("message 0 of client0 returned after 1");
  }

  @Test
  void messagesAndImmediateDataAreOnTheWayUntilTheyArrive() {
    send(0, NONE);
    write(1, NONE);
    write(2, OptionalInt.of(2));
    failedWrite(3, OptionalInt.of(3));
    assertThat(model.onTheWay()).isEqualTo(2);
    model.messages().received(new Message(bytes(0), NONE));
    model.messages().arrived(2);
    assertThat(model.onTheWay()).isZero();
    send(4, NONE);
    write(5, OptionalInt.of(5));
    model.messages().ended();
    assertThat(model.onTheWay()).isZero();
  }

  @Test
  void theMemoryHasAWriteWhenItsImmediateDataArrives() {
    write(0, OptionalInt.of(0));
    write(1, NONE);
    model.checkWritten(0, bytes(0));
    model.checkWritten(0, bytes(1));
    assertThat(run.problem()).isNull();
    model.checkWritten(1, bytes(0));
    assertThat(run.problem()).isEqualTo("the memory has write 0 of client0 when 1 arrives");
  }

  @Test
  void aDamagedWriteCountsOnce() {
    write(7, OptionalInt.of(7));
    byte[] damaged = bytes(7);
    damaged[RdmaProgram.BYTES / 2] ^= 1;
    model.checkWritten(7, damaged);
    read(8, damaged);
    read(9, damaged);
    assertThat(model.damaged()).isEqualTo(1);
    assertThat(run.problem()).isNull();
  }

  /** Sends a batch of one task, and returns the batch in its run. */
  private TaskBatch begin(int tag, TaskKind kind, Buffer src, Buffer dst) {
    TaskBatch batch =
        kind == TaskKind.RDMA_SEND
            ? TaskBatch.ofSends(List.of(src))
            : TaskBatch.of(List.of(src), List.of(dst));
    model.sent(new Batch(kind, batch, tag, batchReplyTo));
    assertThat(batch.begin()).isTrue();
    return batch;
  }

  private void end(int tag, TaskBatch batch) {
    batch.written();
    batch.end();
    model.answered(new Ended(tag, batch));
    batch.close();
  }

  private void done(int tag, TaskBatch batch) {
    batch.results().done(0, RdmaProgram.BYTES, 0, 0);
    end(tag, batch);
  }

  @Test
  void aReadFindsTheWriteOfABatch() {
    done(3, begin(3, TaskKind.RDMA_WRITE, here, there));
    assertThat(model.unanswered()).isZero();
    read(4, bytes(3));
    assertThat(run.problem()).isNull();
    read(5, bytes(2));
    assertThat(run.problem()).isEqualTo("client0 read 2 instead of 3");
  }

  @Test
  void aReadOfABatchFindsTheLastWrite() {
    write(0, NONE);
    TaskBatch reads = begin(1, TaskKind.RDMA_READ, there, here);
    here.bytes().clear().put(bytes(0));
    done(1, reads);
    assertThat(run.problem()).isNull();
    TaskBatch others = begin(2, TaskKind.RDMA_READ, there, here);
    here.bytes().clear().put(bytes(1));
    done(2, others);
    assertThat(run.problem()).isEqualTo("client0 read 1 instead of 0");
  }

  @Test
  void afterAFailedBatchAReadMayFindAnEarlierWrite() {
    write(0, NONE);
    TaskBatch writes = begin(1, TaskKind.RDMA_WRITE, here, there);
    writes.results().failed(0, DocaCode.IO_FAILED);
    end(1, writes);
    read(2, bytes(0));
    assertThat(run.problem()).isNull();
  }

  /** Ends a batch of two messages, of which the first fails. */
  private void endAfterFailure(DocaCode code) {
    TaskBatch batch = TaskBatch.ofSends(List.of(here, there));
    model.sent(new Batch(TaskKind.RDMA_SEND, batch, 0, batchReplyTo));
    assertThat(batch.begin()).isTrue();
    batch.results().failed(0, code);
    batch.results().done(1, RdmaProgram.BYTES, 0, 0);
    end(0, batch);
  }

  @Test
  void noTaskFollowsOneThatTheDeviceHasFailed() {
    endAfterFailure(DocaCode.IO_FAILED);
    assertThat(run.problem()).isEqualTo("task 1 of a batch is done after a failed one");
  }

  /** The connection of a task that was not submitted continues. */
  @Test
  void aTaskMayFollowOneWithoutMemory() {
    endAfterFailure(DocaCode.NO_MEMORY);
    assertThat(run.problem()).isNull();
  }

  @Test
  void theErrorOfATaskOfABatchNeedsACause() {
    run.explanations().begin();
    TaskBatch messages = begin(0, TaskKind.RDMA_SEND, here, there);
    messages.results().failed(0, DocaCode.IO_FAILED);
    end(0, messages);
    assertThat(run.problem()).startsWith("no cause explains ");
  }

  @Test
  void messagesOfABatchReturn() {
    done(0, begin(0, TaskKind.RDMA_SEND, here, there));
    assertThat(model.onTheWay()).isEqualTo(1);
    model.messages().received(new Message(bytes(0), NONE));
    assertThat(model.onTheWay()).isZero();
    assertThat(run.problem()).isNull();
  }

  /** Requests that wait for a connection have not reached the device. */
  @Test
  void aMessageThatHasOnlyWaitedDoesNotReturn() {
    DocaError error = DocaError.of("client", DocaCode.SHUTDOWN.value(), "why");
    model.sent(new Send(here, NONE, 0, replyTo));
    model.answered(new Failed(0, error, here, null, Ownership.RETURNED));
    TaskBatch batch = TaskBatch.ofSends(List.of(here));
    model.sent(new Batch(TaskKind.RDMA_SEND, batch, 1, batchReplyTo));
    model.answered(new BatchFailed(1, error, batch, Ownership.RETURNED));
    batch.close();
    assertThat(model.onTheWay()).isZero();
    model.messages().received(new Message(bytes(1), NONE));
    assertThat(run.problem()).isEqualTo("message 1 of client0 returned twice or too late");
  }

  @Test
  void aMessageOfAFailedBatchMayReturn() {
    TaskBatch batch = begin(0, TaskKind.RDMA_SEND, here, there);
    batch.results().failed(0, DocaCode.IO_FAILED);
    end(0, batch);
    assertThat(model.onTheWay()).isZero();
    model.messages().received(new Message(bytes(0), NONE));
    assertThat(run.problem()).isNull();
  }

  @Test
  void aTaskOfABatchWithoutAResultFailsTheRun() {
    end(0, begin(0, TaskKind.RDMA_SEND, here, there));
    assertThat(run.problem()).isEqualTo("a batch of 1 tasks has 0 results and 0 failures");
  }

  @Test
  void anAnswerHasTheBuffersOfItsRequest() {
    model.sent(new Write(here, there, NONE, 0, replyTo));
    model.answered(new Completed(0, there, here));
    assertThat(run.problem()).startsWith("other buffers: ");
  }

  @Test
  void anAnswerHasTheBatchOfItsRequest() {
    TaskBatch batch = TaskBatch.ofSends(List.of(here));
    TaskBatch other = TaskBatch.ofSends(List.of(there));
    DocaError error = DocaError.of("doca_task", DocaCode.IO_FAILED.value(), "why");
    model.sent(new Batch(TaskKind.RDMA_SEND, batch, 0, batchReplyTo));
    model.answered(new BatchFailed(0, error, other, Ownership.RETURNED));
    assertThat(run.problem()).startsWith("another batch: ");
    batch.close();
    other.close();
  }

  @Test
  void aSecondAnswerFailsTheRun() {
    write(0, NONE);
    model.answered(new Completed(0, here, there));
    assertThat(run.problem()).startsWith("request 0 has two answers; the second is ");
  }
}
