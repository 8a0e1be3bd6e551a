package io.dpuactors.engine;

import static io.dpuactors.bridge.Permission.PCI_READ_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.ImportMemory;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.ExporterProcess;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.io.IOException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests a service that copies from the memory of another process while that process is killed.
 * Every request is answered, and the service continues with the next exporter.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ExporterKilledTest {
  private static final int BLOCK = 64 << 10;
  private static final int BLOCKS = 8;

  private RunningSystem system;
  private BufferPool near;
  private TestProbe<TaskReply> replies;

  /** tags of unanswered requests */
  private final Set<Long> open = new HashSet<>();

  private long nextTag;

  @BeforeEach
  void start() {
    system = RunningSystem.create();
    near = system.pool(BLOCKS, BLOCK);
    replies = system.kit.createTestProbe();
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(system.stopEngine().census()).isEqualTo("empty");
    system.close();
  }

  @Test
  @ExpectedLog("the context stopped by itself")
  void aRestartedContextCopiesFromTheNextExporter() throws IOException {
    // Requests sent before the first observed failure fail the restarted context once more.
    ActorRef<DmaProtocol.Command> dma =
        system.openedDma(
            "dma", TaskOptions.defaults().withSupervision(SupervisorStrategy.restart()));
    for (int round = 0; round < 3; round++) {
      killInMidTransfer(dma, 10 + 7 * round, round % 2 == 1);
    }
    copyAll(dma);
  }

  @Test
  @ExpectedLog("the context stopped by itself")
  void aContextThatEndsLeavesRoomForTheNextOne() throws IOException {
    TaskOptions once = TaskOptions.defaults().withSupervision(SupervisorStrategy.stop());
    for (int round = 0; round < 2; round++) {
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", once);
      killInMidTransfer(dma, 10, round % 2 == 1);
      replies.expectTerminated(dma);
    }
    copyAll(system.openedDma("dma", once));
  }

  /**
   * Copies without a pause until some copies have failed; kills the owner of the memory during
   * them.
   */
  private void killInMidTransfer(
      ActorRef<DmaProtocol.Command> dma, int copiesBefore, boolean isWrite) throws IOException {
    FreshSoftDpu.DEVICE.faults("dma-memcpy:delay=1ms");
    try (ExporterProcess exporter = ExporterProcess.start()) {
      BufferPool far = imported(exporter);
      for (int i = 0; i < BLOCKS; i++) {
        Buffer there = lease(far);
        there.aim((long) i * BLOCK, BLOCK);
        Buffer here = lease(near);
        here.length(BLOCK);
        submit(dma, isWrite ? here : there, isWrite ? there : here);
      }
      int completed = 0;
      int failed = 0;
      while (!open.isEmpty()) {
        TaskReply reply = replies.receiveMessage();
        assertThat(open.remove(reply.tag())).as("answered once").isTrue();
        if (reply instanceof Completed done && failed == 0) {
          if (++completed == copiesBefore) {
            exporter.kill(); // the other copies are in flight
          }
          submit(dma, done.src(), done.dst());
        } else {
          failed += reply instanceof Failed ? 1 : 0;
          releaseBuffers(reply);
        }
      }
      assertThat(completed).isGreaterThanOrEqualTo(copiesBefore);
      assertThat(failed).isPositive();
      close(far);
    }
    FreshSoftDpu.DEVICE.clearFaults();
    assertThat(near.available()).isEqualTo(BLOCKS);
  }

  private void submit(ActorRef<DmaProtocol.Command> dma, Buffer src, Buffer dst) {
    src.length(BLOCK);
    open.add(nextTag);
    dma.tell(new Copy(src, dst, nextTag++, replies.getRef()));
  }

  private static void releaseBuffers(TaskReply reply) {
    if (reply instanceof Failed failed) {
      assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
      failed.src().release();
      failed.dst().release();
    } else {
      Completed done = (Completed) reply;
      done.src().release();
      done.dst().release();
    }
  }

  /** Copies every block of a live exporter, to the last byte. */
  private void copyAll(ActorRef<DmaProtocol.Command> dma) throws IOException {
    try (ExporterProcess exporter = ExporterProcess.start()) {
      BufferPool far = imported(exporter);
      for (int block = 0; block < BLOCKS; block++) {
        Buffer there = lease(far);
        there.aim((long) block * BLOCK, BLOCK);
        dma.tell(new Copy(there, lease(near), block, replies.getRef()));
      }
      for (int i = 0; i < BLOCKS; i++) {
        Completed done = replies.expectMessageClass(Completed.class);
        for (int at = 0; at < BLOCK; at++) {
          byte expected = ExporterProcess.content(done.tag() * BLOCK + at);
          if (done.dst().bytes().get(at) != expected) {
            throw new AssertionError("byte " + at + " of block " + done.tag());
          }
        }
        releaseBuffers(done);
      }
      close(far);
    }
  }

  private BufferPool imported(ExporterProcess exporter) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(
        new ImportMemory(
            Optional.empty(),
            exporter.export(BLOCKS * BLOCK, Set.of(PCI_READ_WRITE)),
            BLOCKS,
            Optional.empty(),
            probe.getRef()));
    return ((PoolOpened) probe.receiveMessage()).pool();
  }

  private void close(BufferPool pool) {
    TestProbe<PoolClosed> closed = system.kit.createTestProbe();
    system.engine.tell(new ClosePool(pool, closed.getRef()));
    assertThat(closed.receiveMessage().failure()).isEmpty();
  }

  private static Buffer lease(BufferPool pool) {
    return Objects.requireNonNull(pool.lease());
  }
}
