package io.dpuactors.engine;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census.Resource;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.ExportFailed;
import io.dpuactors.protocol.MemoryProtocol.ExportPool;
import io.dpuactors.protocol.MemoryProtocol.ExportReply;
import io.dpuactors.protocol.MemoryProtocol.Exported;
import io.dpuactors.protocol.MemoryProtocol.ImportMemory;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.OpenWindows;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests memory of the host side that actors of the DPU side copy from and to. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class SharedMemoryTest {
  private static final String HOST = "81:00.0";
  private static final int BLOCK = 4096;

  @Test
  void anActorImportsAndCopiesTheExportOfAnother() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      BufferPool shared = shared(system, Permission.PCI_READ_WRITE);
      BufferPool remote = opened(imported(system, export(system, shared), Optional.empty()));
      BufferPool local = system.pool(2, BLOCK);
      Buffer there = buffer(shared, new byte[] {1, 2, 3});
      Buffer far = lease(remote);
      far.aim((long) there.index() * BLOCK, 3);
      Buffer near = buffer(local);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      dma.tell(new Copy(far, near, replies.getRef()));
      assertThat(replies.receiveMessage()).isInstanceOf(Completed.class);
      assertThat(near.length()).isEqualTo(3);
      assertThat(near.bytes().get(2)).isEqualTo((byte) 3);
      near.bytes().put(2, (byte) 9);
      dma.tell(new Copy(near, far, replies.getRef()));
      assertThat(replies.receiveMessage()).isInstanceOf(Completed.class);
      assertThat(there.bytes().get(2)).isEqualTo((byte) 9);
      there.release();
      far.release();
      near.release();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** A copy beyond its window does not reach the device. */
  @Test
  void aCopyStaysInsideOfWhatALeaseIsAimedAt() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<DmaProtocol.Command> dma = system.openedDma("dma", TaskOptions.defaults());
      BufferPool remote =
          opened(
              imported(
                  system,
                  export(system, shared(system, Permission.PCI_READ_WRITE)),
                  Optional.empty()));
      Buffer near = buffer(system.pool(1, BLOCK), new byte[101]);
      Buffer far = lease(remote);
      far.aim(0, 100);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      dma.tell(new Copy(near, far, replies.getRef()));
      TaskReply.Failed failed = (TaskReply.Failed) replies.receiveMessage();
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      near.release();
      far.release();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The device would write the whole output, also behind the part. */
  @Test
  void anAimedBufferTakesNoOutputOfUnknownSize() {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      Buffer in = buffer(system.pool(1, BLOCK), new byte[1000]);
      TestProbe<PoolReply> pools = system.kit.createTestProbe();
      system.engine.tell(new OpenWindows(system.pool(2, BLOCK), 1, pools.getRef()));
      Buffer out = lease(opened(pools.receiveMessage()));
      out.aim(0, 64);
      TestProbe<TaskReply> replies = system.kit.createTestProbe();
      compress.tell(new Deflate(in, out, replies.getRef()));
      TaskReply.Failed failed = (TaskReply.Failed) replies.receiveMessage();
      assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(failed.error().toString()).contains("an aimed buffer cannot take an output");
      in.release();
      out.release();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aPoolWithWindowsIsNotClosed() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(1, BLOCK);
      TestProbe<PoolReply> pools = system.kit.createTestProbe();
      system.engine.tell(new OpenWindows(pool, 1, pools.getRef()));
      BufferPool windows = opened(pools.receiveMessage());
      TestProbe<PoolClosed> closed = system.kit.createTestProbe();
      system.engine.tell(new ClosePool(pool, closed.getRef()));
      assertThat(closed.receiveMessage().failure().orElseThrow().code()).isEqualTo(DocaCode.IN_USE);
      lease(pool).release();
      for (BufferPool each : List.of(windows, pool)) {
        system.engine.tell(new ClosePool(each, closed.getRef()));
        assertThat(closed.receiveMessage().failure()).isEmpty();
      }
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void anImportGoesWithItsOwnerOnceItsLeasesAreBack() {
    try (RunningSystem system = RunningSystem.create()) {
      MemoryExport export = export(system, shared(system, Permission.PCI_READ_ONLY));
      int before = maps(system);
      ActorRef<Integer> owner =
          system.kit.spawn(Behaviors.receiveMessage(any -> Behaviors.stopped()));
      BufferPool remote = opened(imported(system, export, Optional.of(owner)));
      Buffer held = lease(remote);
      TestProbe<Object> watcher = system.kit.createTestProbe();
      owner.tell(1);
      watcher.expectTerminated(owner);
      assertThat(maps(system)).isEqualTo(before + 1);
      held.release();
      watcher.awaitAssert(
          () -> {
            assertThat(maps(system)).isEqualTo(before);
            return null;
          });
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void refusedExportsAndInvalidBlobsAreTypedFailures() {
    try (RunningSystem system = RunningSystem.create()) {
      BufferPool pool = system.pool(1, BLOCK);
      TestProbe<ExportReply> exports = system.kit.createTestProbe();
      system.engine.tell(new ExportPool(pool, exports.getRef()));
      assertThat(((ExportFailed) exports.receiveMessage()).error().code())
          .isEqualTo(DocaCode.NOT_PERMITTED);
      TestProbe<PoolClosed> closed = system.kit.createTestProbe();
      system.engine.tell(new ClosePool(pool, closed.getRef()));
      assertThat(closed.receiveMessage().failure()).isEmpty();
      system.engine.tell(new ExportPool(pool, exports.getRef()));
      assertThat(((ExportFailed) exports.receiveMessage()).error().code())
          .isEqualTo(DocaCode.BAD_STATE);
      PoolReply forged = imported(system, MemoryExport.of(new byte[] {1, 2, 3}), Optional.empty());
      assertThat(((PoolFailed) forged).error().operation())
          .isEqualTo("doca_mmap_create_from_export");
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static BufferPool shared(RunningSystem system, Permission permission) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(
        new OpenPool(
            PoolOptions.of(4, BLOCK)
                .onDevice(HOST)
                .withPermissions(Set.of(Permission.LOCAL_READ_WRITE, permission)),
            probe.getRef()));
    return opened(probe.receiveMessage());
  }

  private static MemoryExport export(RunningSystem system, BufferPool pool) {
    TestProbe<ExportReply> probe = system.kit.createTestProbe();
    system.engine.tell(new ExportPool(pool, probe.getRef()));
    return ((Exported) probe.receiveMessage()).export();
  }

  private static PoolReply imported(
      RunningSystem system, MemoryExport export, Optional<ActorRef<?>> owner) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(new ImportMemory(Optional.of("03:00.0"), export, 2, owner, probe.getRef()));
    return probe.receiveMessage();
  }

  private static BufferPool opened(PoolReply reply) {
    assertThat(reply).isInstanceOf(PoolOpened.class);
    return ((PoolOpened) reply).pool();
  }

  private static Buffer lease(BufferPool remote) {
    Buffer buffer = remote.lease();
    assertThat(buffer).isNotNull();
    return Objects.requireNonNull(buffer);
  }

  private static int maps(RunningSystem system) {
    TestProbe<Status> probe = system.kit.createTestProbe();
    system.engine.tell(new GetStatus(probe.getRef()));
    return probe.receiveMessage().open().getOrDefault(Resource.MEMORY_MAP, 0);
  }
}
