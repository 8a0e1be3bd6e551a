package io.dpuactors.context;

import static io.dpuactors.testing.RunningSystem.buffer;
import static io.dpuactors.testing.RunningSystem.releaseBuffers;
import static io.dpuactors.testing.RunningSystem.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.Inflate;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.DmaProtocol.CopyBatch;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the DMA context through its public protocol: copy, failure, restart and stop. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class DmaContextTest {
  @Test
  void everyCopyIsAnsweredOnceWithTheSameBytes() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(2000, 512);
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      for (int i = 0; i < 1000; i++) {
        dma.tell(copy(pool, i, replies));
      }
      List<TaskReply> all = replies.receiveSeveralMessages(1000);
      assertThat(tags(all)).hasSize(1000);
      for (TaskReply reply : all) {
        Completed done = (Completed) reply;
        assertThat(content(done.dst())).isEqualTo(bytes(done.tag()));
        assertThat(done.crc32()).isZero();
        assertThat(done.checksum()).isZero();
      }
      all.forEach(RunningSystem::releaseBuffers);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aBatchOfCopiesHasOneAnswer() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(200, 512);
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      TestProbe<BatchReply> replies = system.kit.createTestProbe();
      TaskBatch batch = batchOf64(pool);
      dma.tell(new CopyBatch(batch, 5, replies.getRef()));
      assertThat(replies.receiveMessage()).isEqualTo(new BatchReply.Ended(5, batch));
      assertThat(batch.results().failures()).isZero();
      for (int i = 0; i < 64; i++) {
        assertThat(content(batch.destinations().get(i))).isEqualTo(bytes(i));
      }
      dma.tell(new Stop());
      replies.expectTerminated(dma);
      dma.tell(new CopyBatch(batch, 6, replies.getRef()));
      BatchFailed late = (BatchFailed) replies.receiveMessage();
      assertThat(late.error().code()).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(late.ownership()).isEqualTo(Ownership.RETURNED);
      release(batch);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /**
   * The bridge submits the next part at the end of a part, so that the loop needs no turn for it.
   */
  @Test
  void aLoopThatSpinsHasNoTurnForThePartsOfABatch() {
    try (RunningSystem system =
        RunningSystem.create("dpu.engine { idle = adaptive, idle-spin = 1s }")) {
      BufferPool pool = system.pool(128, 512);
      FreshSoftDpu.DEVICE.faults("dma-memcpy:delay=200us");
      ActorRef<DmaProtocol.Command> dma =
          system.openedDma("dma", TaskOptions.defaults().withWindow(1));
      TestProbe<BatchReply> replies = system.kit.createTestProbe();
      TaskBatch batch = batchOf64(pool);
      long before = system.counter("turns");
      dma.tell(new CopyBatch(batch, 5, replies.getRef()));
      assertThat(replies.receiveMessage()).isEqualTo(new BatchReply.Ended(5, batch));
      release(batch);
      assertThat(system.counter("turns") - before).isLessThan(16);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  @ExpectedLog("the context stopped by itself")
  void aFailedCopyStopsTheContextWhichAnswersAllAndRestarts() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(200, 512);
      FreshSoftDpu.DEVICE.faults("dma-memcpy:delay=2ms;dma-memcpy:fail:nth=20");
      ActorRef<DmaProtocol.Command> dma =
          system.openedDma("dma", TaskOptions.defaults().withWindow(8));
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      for (int i = 0; i < 40; i++) {
        dma.tell(copy(pool, i, replies));
      }
      List<TaskReply> all = replies.receiveSeveralMessages(40);
      assertThat(tags(all)).hasSize(40);
      assertThat(all)
          .anyMatch(r -> r instanceof Failed failed && failed.code() == DocaCode.IO_FAILED)
          .anyMatch(r -> r instanceof Completed);
      all.forEach(RunningSystem::releaseBuffers);
      FreshSoftDpu.DEVICE.clearFaults();
      dma.tell(copy(pool, 99, replies));
      TaskReply after = replies.receiveMessage();
      assertThat(after).isInstanceOf(Completed.class);
      releaseBuffers(after);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  @ExpectedLog("the context stopped by itself")
  void aContextThatMayNotRestartEndsAndItsMailboxIsAnsweredToo() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(200, 512);
      FreshSoftDpu.DEVICE.faults("dma-memcpy:fail:nth=1");
      ActorRef<DmaProtocol.Command> dma =
          system.openedDma(
              "dma", TaskOptions.defaults().withSupervision(SupervisorStrategy.stop()));
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      for (int i = 0; i < 50; i++) {
        dma.tell(copy(pool, i, replies));
      }
      replies.expectTerminated(dma);
      dma.tell(copy(pool, 50, replies));
      List<TaskReply> all = replies.receiveSeveralMessages(51);
      assertThat(tags(all)).hasSize(51);
      all.forEach(RunningSystem::releaseBuffers);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  /** Each of these requests would fail the DOCA context. The actor refuses all of them. */
  @Test
  void requestsThatWouldFailAreRefusedAndTheContextContinues() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(8, 512);
      BufferPool small = system.pool(8, 511);
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      dma.tell(new Copy(buffer(pool), buffer(pool), replies.getRef()));
      expectInvalid(replies, "empty");
      dma.tell(new Copy(buffer(pool, new byte[512]), buffer(small), replies.getRef()));
      expectInvalid(replies, "512 bytes do not fit into 511");
      dma.tell(copy(pool, 1, replies));
      TaskReply after = replies.receiveMessage();
      assertThat(after).isInstanceOf(Completed.class);
      releaseBuffers(after);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  /** The result buffer of one context is the source of the next, without a copy in between. */
  @Test
  void buffersGoFromOneContextOfAnEngineToAnother() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(4, 4096);
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      Buffer plain = buffer(pool, bytes(7));
      Buffer packed = buffer(pool);
      Buffer copied = buffer(pool);
      Buffer again = buffer(pool);
      compress.tell(new Deflate(plain, packed, replies.getRef()));
      assertThat(replies.receiveMessage()).isInstanceOf(Completed.class);
      dma.tell(new Copy(packed, copied, replies.getRef()));
      assertThat(replies.receiveMessage()).isInstanceOf(Completed.class);
      compress.tell(new Inflate(copied, again, replies.getRef()));
      assertThat(replies.receiveMessage()).isInstanceOf(Completed.class);
      assertThat(content(again)).isEqualTo(bytes(7));
      List.of(plain, packed, copied, again).forEach(Buffer::release);
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void aWindowBeyondTheDeviceNamesTheLimit() {
    try (RunningSystem system = RunningSystem.create()) {
      OpenFailed<?> failed =
          (OpenFailed<?>) system.openDma("dma", TaskOptions.defaults().withWindow(10_000_000));
      assertThat(failed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(failed.error().toString())
          .startsWith("doca_dma: ")
          .contains("10000000 tasks in flight are more than the limit of 0000:03:00.0");
      assertThat(system.stopEngine().clean()).isTrue();
    }
  }

  private static Copy copy(BufferPool pool, long tag, TestProbe<TaskReply> replies) {
    return new Copy(buffer(pool, bytes(tag)), buffer(pool), tag, replies.getRef());
  }

  private static byte[] bytes(long tag) {
    byte[] bytes = new byte[300];
    Arrays.fill(bytes, (byte) tag);
    return bytes;
  }

  private static byte[] content(Buffer buffer) {
    byte[] content = new byte[buffer.length()];
    buffer.bytes().get(0, content);
    return content;
  }

  private static void expectInvalid(TestProbe<TaskReply> replies, String why) {
    Failed failed = (Failed) replies.receiveMessage();
    assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(failed.error().about()).contains(why);
    releaseBuffers(failed);
  }

  private static TaskBatch batchOf64(BufferPool pool) {
    List<Buffer> sources = new ArrayList<>();
    List<Buffer> destinations = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      sources.add(buffer(pool, bytes(i)));
      destinations.add(buffer(pool));
    }
    return TaskBatch.of(sources, destinations);
  }

  private static void release(TaskBatch batch) {
    batch.close();
    batch.sources().forEach(Buffer::release);
    batch.destinations().forEach(Buffer::release);
  }
}
