package io.dpuactors.engine;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Pages;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskBuffers.Part;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.BuffersReply;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.MemoryProtocol.RegisterMemory;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests memory of the program, memory on huge pages, and chains, requested by messages. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class MemoryKindsTest {
  private static final int BLOCK = 4096;

  @Test
  void memoryOfTheProgramIsCopiedToAndStaysItsOwn() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      ByteBuffer mine = ByteBuffer.allocateDirect(3 * BLOCK);
      mine.position(BLOCK).limit(2 * BLOCK);
      BufferPool pool = ((PoolOpened) registered(system, mine, 1, BLOCK)).pool();
      Buffer src = buffer(system.pool(1, BLOCK), (byte) 4, (byte) 2);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      dma.tell(new Copy(src, buffer(pool), replies.getRef()));
      Completed done = replies.expectMessageClass(Completed.class);
      done.src().release();
      done.dst().release();
      TestProbe<PoolClosed> closed = system.kit.createTestProbe();
      system.engine.tell(new ClosePool(pool, closed.getRef()));
      assertThat(closed.receiveMessage().failure()).isEmpty();
      assertThat(mine.get(BLOCK)).isEqualTo((byte) 4);
      assertThat(mine.get(BLOCK + 1)).isEqualTo((byte) 2);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void memoryThatCannotBeRegisteredIsATypedFailure() {
    try (RunningSystem system = RunningSystem.create()) {
      for (PoolReply reply :
          new PoolReply[] {
            registered(system, ByteBuffer.allocate(BLOCK), 1, BLOCK),
            registered(system, ByteBuffer.allocateDirect(BLOCK), 2, BLOCK),
            registered(system, ByteBuffer.allocateDirect(BLOCK).asReadOnlyBuffer(), 1, BLOCK)
          }) {
        assertThat(reply).isInstanceOf(PoolFailed.class);
        assertThat(((PoolFailed) reply).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      }
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static PoolReply registered(
      RunningSystem system, ByteBuffer memory, int count, int bytes) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(
        new RegisterMemory(
            Optional.empty(),
            memory,
            count,
            bytes,
            Set.of(Permission.LOCAL_READ_WRITE),
            probe.getRef()));
    return probe.receiveMessage();
  }

  @Test
  void hugePagesAreTriedAndReported() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<PoolReply> probe = system.kit.createTestProbe();
      system.engine.tell(
          new OpenPool(
              PoolOptions.of(4, 1 << 20).withMemory(MemoryOptions.defaults().withHugePages()),
              probe.getRef()));
      BufferPool pool = ((PoolOpened) probe.receiveMessage()).pool();
      Pages pages = pool.memory().pages();
      assertThat(pages.reason().isEmpty()).isEqualTo(pages.kind() == Pages.Kind.RESERVED);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void buffersOfTasksHaveThePagesOfTheirOptions() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      BufferOptions options = BufferOptions.of(2, 1 << 20, 1 << 20);
      assertThat(pages(system, dma, options))
          .allSatisfy(pages -> assertThat(pages.kind()).isEqualTo(Pages.Kind.ORDINARY))
          .allSatisfy(pages -> assertThat(pages.reason()).isEmpty());
      assertThat(pages(system, dma, options.withHugePages()))
          .allSatisfy(
              pages ->
                  assertThat(pages.reason().isEmpty())
                      .isEqualTo(pages.kind() == Pages.Kind.RESERVED));
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** Opens the buffers of a context; returns the pages of the sources and the destinations. */
  private static List<Pages> pages(
      RunningSystem system, ActorRef<?> context, BufferOptions options) {
    TestProbe<BuffersReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenBuffers(context, options, probe.getRef()));
    Part part = ((BuffersOpened) probe.receiveMessage()).buffers().parts().get(0);
    return List.of(part.sources().memory().pages(), part.destinations().memory().pages());
  }

  /** The device would fail the chain, and this failure would stop the context. */
  @Test
  void aChainThatIsTooLongForTheDeviceIsRefused() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      BufferPool pool = system.pool(256, 64);
      Buffer src = buffer(pool, (byte) 1);
      while (src.elements() <= 128) {
        src.append(buffer(pool, (byte) 1));
      }
      Buffer dst = buffer(pool);
      while (dst.elements() < 4) {
        dst.append(buffer(pool));
      }
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      dma.tell(new Copy(src, dst, replies.getRef()));
      Failed failed = replies.expectMessageClass(Failed.class);
      assertThat(failed.error().toString())
          .contains("a chain of 129 buffers; the device's limit is 128");
      dma.tell(new Copy(src.following().get(0), dst, replies.getRef()));
      assertThat(replies.expectMessageClass(Failed.class).error().toString())
          .contains("pass the head of the chain");
      src.release();
      Buffer shorter = buffer(pool, new byte[60]);
      shorter.append(buffer(pool, new byte[60]));
      dma.tell(new Copy(shorter, dst, replies.getRef()));
      assertThat(replies.expectMessageClass(Completed.class).dst().totalLength()).isEqualTo(120);
      shorter.release();
      dst.release();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }
}
