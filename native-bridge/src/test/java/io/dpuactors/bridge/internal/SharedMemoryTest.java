package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.Permission.LOCAL_READ_WRITE;
import static io.dpuactors.bridge.Permission.PCI_READ_ONLY;
import static io.dpuactors.bridge.Permission.PCI_READ_WRITE;
import static io.dpuactors.bridge.TaskKind.DMA_MEMCPY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.internal.Rig.Answer;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests memory that the host's side exports and the DPU's side imports, in one process. */
class SharedMemoryTest {
  private static final int BLOCK = 8192;
  private static final int BLOCKS = 8;
  private static final int BYTES = BLOCK * BLOCKS;

  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(2, BLOCK);
  private Device host;

  @BeforeEach
  void openHostSide() {
    host = Device.open(rig.engine, "81:00.0");
  }

  @AfterEach
  void end() {
    host.close();
    rig.close();
  }

  private MemoryMap exporter(Permission permission) {
    MemoryMap map =
        MemoryMap.allocate(rig.engine, host, BYTES, EnumSet.of(LOCAL_READ_WRITE, permission));
    for (int i = 0; i < BLOCKS; i++) {
      map.slice((long) i * BLOCK, BLOCK).put(filled(i + 1));
    }
    return map;
  }

  private static byte[] filled(int value) {
    byte[] block = new byte[BLOCK];
    Arrays.fill(block, (byte) value);
    return block;
  }

  @Test
  void anImportHasTheOwnersAddressesAndNoViews() {
    try (MemoryMap map = exporter(PCI_READ_ONLY);
        MemoryMap imported = MemoryMap.imported(rig.engine, rig.device, sent(map.export()))) {
      assertThat(imported.isImported()).isTrue();
      assertThat(map.isImported()).isFalse();
      assertThat(imported.address()).isEqualTo(map.address());
      assertThat(imported.bytes()).isEqualTo(BYTES);
      assertThat(rig.engine.census().count(Census.Resource.MEMORY_MAP)).isEqualTo(3);
      assertThatThrownBy(() -> imported.slice(0, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("slice: imported memory map of 65536 bytes is reached by the device only");
      assertThatThrownBy(() -> imported.export())
          .isInstanceOf(DocaException.class)
          .hasMessageContaining("doca_mmap_export_pci: DOCA_ERROR_NOT_PERMITTED (2): imported");
    }
  }

  private static MemoryExport sent(MemoryExport export) {
    MemoryExport received = MemoryExport.of(export.bytes());
    assertThat(received).isEqualTo(export).hasSameHashCodeAs(export);
    assertThat(received.length()).isEqualTo(export.bytes().length);
    return received;
  }

  @Test
  void blocksAreReadFromWhereALeaseIsAimed() {
    DocaContext context = rig.dma(4);
    try (MemoryMap map = exporter(PCI_READ_ONLY);
        MemoryMap imported = MemoryMap.imported(rig.engine, rig.device, map.export());
        BufferPool remote = RegisteredPool.over(rig.engine, imported, 2)) {
      for (int i = 0; i < BLOCKS; i++) {
        Buffer src = Rig.lease(remote);
        Buffer dst = Rig.lease(pool);
        src.aim((long) i * BLOCK, BLOCK);
        Answer answer = rig.run(context, DMA_MEMCPY, src, dst, 0);
        assertThat(answer.code()).isEqualTo(DocaCode.SUCCESS);
        dst.length((int) answer.produced());
        assertThat(Rig.content(dst)).hasSize(BLOCK).containsOnly(i + 1);
        src.release();
        dst.release();
      }
    }
  }

  @Test
  void writtenBytesArriveOnlyAtTheirDestination() {
    DocaContext context = rig.dma(4);
    try (MemoryMap map = exporter(PCI_READ_WRITE);
        MemoryMap imported = MemoryMap.imported(rig.engine, rig.device, map.export());
        BufferPool remote = RegisteredPool.over(rig.engine, imported, 1)) {
      byte[] content = Inputs.random(100);
      Buffer src = Rig.lease(pool, content);
      Buffer dst = Rig.lease(remote);
      dst.aim(BLOCK, BLOCK);
      Answer answer = rig.run(context, DMA_MEMCPY, src, dst, 0);
      assertThat(answer.code()).isEqualTo(DocaCode.SUCCESS);
      assertThat(answer.produced()).isEqualTo(100);
      byte[] there = new byte[BYTES];
      map.slice(0, BYTES).get(there);
      assertThat(Arrays.copyOf(there, BLOCK)).containsOnly(1);
      assertThat(Arrays.copyOfRange(there, BLOCK, BLOCK + 100)).isEqualTo(content);
      assertThat(Arrays.copyOfRange(there, BLOCK + 100, 2 * BLOCK)).containsOnly(2);
      src.release();
      dst.release();
    }
  }

  @Test
  void aMissingPermissionFailsTheTask() {
    try (MemoryMap map = exporter(PCI_READ_ONLY);
        MemoryMap imported = MemoryMap.imported(rig.engine, rig.device, map.export());
        BufferPool remote = RegisteredPool.over(rig.engine, imported, 1)) {
      assertFails(remote);
      assertThat(map.slice(0, 1).get(0)).isEqualTo((byte) 1);
    }
  }

  @Test
  void memoryThatItsOwnerHasTakenBackFailsTheTask() {
    MemoryMap map = exporter(PCI_READ_WRITE);
    try (MemoryMap imported = MemoryMap.imported(rig.engine, rig.device, map.export());
        BufferPool remote = RegisteredPool.over(rig.engine, imported, 1)) {
      map.close();
      assertFails(remote);
    }
  }

  private void assertFails(BufferPool remote) {
    DocaContext context = rig.dma(1);
    Buffer src = Rig.lease(pool, Inputs.random(100));
    Buffer dst = Rig.lease(remote);
    dst.aim(0, 100);
    Answer answer = rig.run(context, DMA_MEMCPY, src, dst, 0);
    assertThat(answer.type()).isEqualTo(RecordType.TASK_FAILED);
    assertThat(answer.code()).isEqualTo(DocaCode.IO_FAILED);
    rig.until(() -> context.state() == ContextState.IDLE);
    rig.end(context);
    src.release();
    dst.release();
  }

  @Test
  void memoryThatMayNotBeSharedIsNotExported() {
    try (MemoryMap map = MemoryMap.allocate(rig.engine, host, 100)) {
      assertThatThrownBy(() -> map.export())
          .isInstanceOf(DocaException.class)
          .hasMessage(
              "doca_mmap_export_pci: DOCA_ERROR_NOT_PERMITTED (2):"
                  + " memory map of 100 bytes on 0000:81:00.0");
    }
  }

  @Test
  void aPoolIsExportedAndImportedAsAPool() {
    DocaContext context = rig.dma(4);
    try (BufferPool shared =
            RegisteredPool.create(
                rig.engine, host, 4, BLOCK, EnumSet.of(LOCAL_READ_WRITE, PCI_READ_WRITE));
        BufferPool remote = RegisteredPool.imported(rig.engine, rig.device, shared.export(), 2)) {
      for (int i = 0; i < 4; i++) {
        Buffer there = Rig.lease(shared, Inputs.random(BLOCK));
        Buffer src = Rig.lease(remote);
        Buffer dst = Rig.lease(pool);
        src.aim((long) there.index() * BLOCK, BLOCK);
        assertThat(rig.run(context, DMA_MEMCPY, src, dst, 0).code()).isEqualTo(DocaCode.SUCCESS);
        dst.length(BLOCK);
        assertThat(Rig.content(dst)).isEqualTo(Rig.content(there));
        there.release();
        src.release();
        dst.release();
      }
      assertThatThrownBy(() -> RegisteredPool.imported(rig.engine, rig.device, shared.export(), 0))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aClosedPoolIsNotExported() {
    BufferPool shared =
        RegisteredPool.create(rig.engine, host, 1, 64, EnumSet.of(LOCAL_READ_WRITE, PCI_READ_ONLY));
    shared.close();
    assertThatThrownBy(shared::export)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("export: buffer pool of 1 x 64 bytes is closed");
  }

  @Test
  void permissionsThatExcludeEachOtherAreRefused() {
    assertThatThrownBy(
            () ->
                MemoryMap.allocate(
                    rig.engine, host, 100, EnumSet.of(PCI_READ_ONLY, PCI_READ_WRITE)))
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("doca_mmap_set_permissions: DOCA_ERROR_INVALID_VALUE (6)")
        .hasMessageContaining("[PCI_READ_ONLY, PCI_READ_WRITE]");
  }

  @Test
  void aDamagedExportIsRefused() {
    try (MemoryMap map = exporter(PCI_READ_ONLY)) {
      byte[] bytes = map.export().bytes();
      for (int i = 0; i < bytes.length; i++) {
        byte[] damaged = bytes.clone();
        damaged[i] ^= 0x40;
        assertRefused(damaged);
      }
      assertRefused(Arrays.copyOf(bytes, bytes.length - 1));
      assertRefused(new byte[] {1});
    }
    assertThatThrownBy(() -> MemoryExport.of(new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void assertRefused(byte[] export) {
    assertThatThrownBy(
            () -> MemoryMap.imported(rig.engine, rig.device, MemoryExport.of(export)).close())
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("doca_mmap_create_from_export: ");
  }

  @Test
  void anExportDoesNotOutliveItsMap() {
    MemoryMap map = exporter(PCI_READ_ONLY);
    MemoryExport export = map.export();
    map.close();
    assertRefused(export.bytes());
  }

  @Test
  void theOrderOfClosingIsHeld() {
    try (MemoryMap map = exporter(PCI_READ_ONLY)) {
      MemoryMap imported = MemoryMap.imported(rig.engine, rig.device, map.export());
      BufferPool remote = RegisteredPool.over(rig.engine, imported, 1);
      Buffer leased = Rig.lease(remote);
      assertThatThrownBy(imported::close)
          .isInstanceOf(DocaException.class)
          .hasMessageContaining("doca_mmap_destroy: DOCA_ERROR_NOT_PERMITTED (2)");
      assertThatThrownBy(remote::close).isInstanceOf(IllegalStateException.class);
      leased.release();
      remote.close();
      imported.close();
      imported.close();
    }
  }

  @Test
  void aLostLeaseOfAnImportLeavesTheMapToItsOwner() {
    try (MemoryMap map = exporter(PCI_READ_ONLY)) {
      MemoryMap imported = MemoryMap.imported(rig.engine, rig.device, map.export());
      BufferPool remote = RegisteredPool.over(rig.engine, imported, 2);
      Buffer lost = Rig.lease(remote);
      assertThat(remote.closeAfterLoss()).isEqualTo(1);
      imported.close();
      lost.release();
    }
  }

  /** Two leases cover the same part of the memory at the same time. */
  @Test
  void memoryOfThisProcessIsLeasedSeveralTimes() {
    DocaContext context = rig.dma(4);
    try (MemoryMap map = MemoryMap.allocate(rig.engine, rig.device, BYTES);
        BufferPool windows = RegisteredPool.over(rig.engine, map, 2)) {
      map.slice(BLOCK, BLOCK).put(filled(2));
      Buffer one = Rig.lease(windows);
      Buffer other = Rig.lease(windows);
      for (Buffer src : new Buffer[] {one, other}) {
        Buffer dst = Rig.lease(pool);
        src.aim(BLOCK, BLOCK);
        Answer answer = rig.run(context, DMA_MEMCPY, src, dst, 0);
        assertThat(answer.code()).isEqualTo(DocaCode.SUCCESS);
        dst.length((int) answer.produced());
        assertThat(Rig.content(dst)).hasSize(BLOCK).containsOnly(2);
        dst.release();
      }
      one.release();
      other.release();
    }
  }

  @Test
  void aLeaseOfAnImportHasNoViewAndIsAimedInside() {
    try (MemoryMap map = exporter(PCI_READ_ONLY);
        MemoryMap imported = MemoryMap.imported(rig.engine, rig.device, map.export());
        BufferPool remote = RegisteredPool.over(rig.engine, imported, 1)) {
      Buffer buffer = Rig.lease(remote);
      assertThat(buffer.isAimed()).isTrue();
      assertThat(buffer.capacity()).isZero();
      assertThatThrownBy(buffer::bytes)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("bytes: aimed buffer 0 is reached by the device only");
      assertThatThrownBy(() -> buffer.aim(1, BYTES)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> buffer.aim(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      buffer.aim(BYTES - 1, 1);
      assertThat(buffer.address()).isEqualTo(map.address() + BYTES - 1);
      assertThat(buffer.length()).isEqualTo(1);
      assertThat(buffer.capacity()).isEqualTo(1);
      buffer.release();
      assertThatThrownBy(() -> buffer.aim(0, 1)).hasMessageContaining("is not leased");
      Buffer own = Rig.lease(pool);
      assertThatThrownBy(() -> own.aim(0, 1)).hasMessageContaining("a separate window");
      own.release();
    }
  }

  @Test
  void aPoolWithoutLeasesIsRefused() {
    try (MemoryMap map = exporter(PCI_READ_ONLY)) {
      assertThatThrownBy(() -> RegisteredPool.over(rig.engine, map, 0))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
