package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.Permission.LOCAL_READ_WRITE;
import static io.dpuactors.bridge.Permission.PCI_READ_ONLY;
import static io.dpuactors.bridge.TaskKind.DMA_MEMCPY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Pages;
import io.dpuactors.bridge.Permission;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests memory on huge pages, and memory that the program owns. */
class MemoryKindsTest {
  private static final int MIB = 1 << 20;

  private final Rig rig = new Rig();

  @AfterEach
  void end() {
    rig.close();
  }

  /**
   * The memory works with or without huge pages, and reports the kind of its pages and the reason.
   */
  @Test
  void hugePagesOrAReason() {
    MemoryOptions huge = MemoryOptions.defaults().withHugePages();
    for (int bytes : new int[] {1, 4096, 2 * MIB - 1, 2 * MIB, 2 * MIB + 1, 33 * MIB}) {
      try (MemoryMap map = MemoryMap.allocate(rig.engine, rig.device, bytes, huge)) {
        Pages pages = map.pages();
        assertThat(map.bytes()).isEqualTo(bytes);
        assertThat(map.address() % pages.pageBytes()).isZero();
        switch (pages.kind()) {
          case RESERVED -> assertThat(pages.reason()).isEmpty();
          case ADVISED -> assertThat(pages.reason()).contains("huge pages");
          case ORDINARY -> assertThat(pages.reason()).contains("; ");
          case FOREIGN -> throw new AssertionError(pages);
        }
        ByteBuffer all = map.slice(0, bytes);
        assertThat(all.get(0)).isZero();
        assertThat(all.get(bytes - 1)).isZero();
        all.put(0, (byte) 1).put(bytes - 1, (byte) 2);
      }
    }
  }

  @Test
  void ordinaryPagesNeedNoReason() {
    try (MemoryMap map = MemoryMap.allocate(rig.engine, rig.device, 100)) {
      assertThat(map.pages().kind()).isEqualTo(Pages.Kind.ORDINARY);
      assertThat(map.pages().reason()).isEmpty();
      assertThat(map.pages().pageBytes()).isGreaterThanOrEqualTo(4096);
    }
  }

  @Test
  void hugeMapsLeaveNoMemoryBehind() throws IOException {
    MemoryOptions huge = MemoryOptions.defaults().withHugePages();
    long before = addressSpacePages();
    for (int i = 0; i < 1000; i++) {
      MemoryMap.allocate(rig.engine, rig.device, 3 * MIB, huge).close();
    }
    assertThat(addressSpacePages() - before).isLessThan(64L * MIB / 4096);
  }

  private static long addressSpacePages() throws IOException {
    return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ", 2)[0]);
  }

  @Test
  void aPoolOnHugePagesIsAnyPool() {
    MemoryOptions huge = MemoryOptions.defaults().withHugePages();
    DocaContext context = rig.dma(1);
    try (BufferPool pool = RegisteredPool.create(rig.engine, rig.device, 4, MIB, huge)) {
      assertThat(pool.memory().pages().kind()).isNotEqualTo(Pages.Kind.FOREIGN);
      Buffer src = Rig.lease(pool, Inputs.random(MIB));
      Buffer dst = Rig.lease(pool);
      assertThat(rig.run(context, DMA_MEMCPY, src, dst, 0).code()).isEqualTo(DocaCode.SUCCESS);
      dst.length(MIB);
      assertThat(Rig.content(dst)).isEqualTo(Rig.content(src));
      src.release();
      dst.release();
    }
  }

  /** The copy changes no byte outside position and limit. */
  @Test
  void memoryOfTheProgramIsCopiedIntoAndStaysItsOwn() {
    DocaContext context = rig.dma(1);
    ByteBuffer mine = ByteBuffer.allocateDirect(400);
    mine.position(33).limit(333);
    try (BufferPool source = RegisteredPool.create(rig.engine, rig.device, 1, 300);
        MemoryMap map = MemoryMap.over(rig.engine, rig.device, mine, Set.of(LOCAL_READ_WRITE));
        BufferPool pool = RegisteredPool.of(rig.engine, map, 1, 300)) {
      assertThat(map.bytes()).isEqualTo(300);
      assertThat(map.pages().kind()).isEqualTo(Pages.Kind.FOREIGN);
      Buffer src = Rig.lease(source, Inputs.random(300));
      Buffer dst = Rig.lease(pool);
      assertThat(rig.run(context, DMA_MEMCPY, src, dst, 0).code()).isEqualTo(DocaCode.SUCCESS);
      byte[] got = new byte[300];
      mine.get(33, got);
      assertThat(got).isEqualTo(Rig.content(src));
      assertThat(mine.get(32)).isZero();
      assertThat(mine.duplicate().clear().get(333)).isZero();
      mine.put(33, (byte) 77);
      assertThat(dst.bytes().get(0)).isEqualTo((byte) 77);
      src.release();
      dst.release();
    }
    assertThat(mine.position()).isEqualTo(33);
    mine.put(34, (byte) 5);
    assertThat(mine.get(34)).as("still there").isEqualTo((byte) 5);
  }

  /** Only the map references the buffer. */
  @Test
  void memoryOfTheProgramIsKeptWhileItIsRegistered() {
    try (MemoryMap map =
        MemoryMap.over(
            rig.engine, rig.device, ByteBuffer.allocateDirect(MIB), Set.of(LOCAL_READ_WRITE))) {
      map.slice(0, 8).putLong(42);
      for (int i = 0; i < 5; i++) {
        System.gc();
        ByteBuffer.allocateDirect(MIB).putLong(-1);
      }
      assertThat(map.slice(0, 8).getLong()).isEqualTo(42);
    }
  }

  @Test
  void aMappedFileIsRead(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("content");
    Files.write(file, Inputs.random(10_000));
    DocaContext context = rig.dma(1);
    try (FileChannel channel = FileChannel.open(file)) {
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 10_000);
      assertThatThrownBy(
              () -> MemoryMap.over(rig.engine, rig.device, mapped, Set.of(LOCAL_READ_WRITE)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("over memory that is read-only");
      try (MemoryMap map = MemoryMap.over(rig.engine, rig.device, mapped, Set.of());
          BufferPool files = RegisteredPool.of(rig.engine, map, 1, 10_000);
          BufferPool pool = RegisteredPool.create(rig.engine, rig.device, 1, 10_000)) {
        Buffer src = Rig.lease(files);
        src.length(10_000);
        Buffer dst = Rig.lease(pool);
        assertThat(rig.run(context, DMA_MEMCPY, src, dst, 0).code()).isEqualTo(DocaCode.SUCCESS);
        dst.length(10_000);
        assertThat(Rig.content(dst)).isEqualTo(Files.readAllBytes(file));
        assertThat(rig.run(context, DMA_MEMCPY, dst, src, 0).code()).isEqualTo(DocaCode.IO_FAILED);
        rig.until(() -> context.state() == ContextState.IDLE);
        src.release();
        dst.release();
      }
    }
  }

  @Test
  void memoryOfTheProgramIsExported() {
    ByteBuffer mine = ByteBuffer.allocateDirect(8192);
    mine.put(100, (byte) 9);
    DocaContext context = rig.dma(1);
    try (Device host = Device.open(rig.engine, "81:00.0");
        MemoryMap map = MemoryMap.over(rig.engine, host, mine, Set.of(PCI_READ_ONLY));
        BufferPool remote = RegisteredPool.imported(rig.engine, rig.device, map.export(), 1);
        BufferPool pool = RegisteredPool.create(rig.engine, rig.device, 1, 64)) {
      Buffer src = Rig.lease(remote);
      src.aim(100, 1);
      Buffer dst = Rig.lease(pool);
      assertThat(rig.run(context, DMA_MEMCPY, src, dst, 0).code()).isEqualTo(DocaCode.SUCCESS);
      assertThat(dst.bytes().get(0)).isEqualTo((byte) 9);
      src.release();
      dst.release();
    }
  }

  @Test
  void memoryThatIsNoneIsRefused() {
    Set<Permission> write = Set.of(LOCAL_READ_WRITE);
    assertThatThrownBy(() -> MemoryMap.over(rig.engine, rig.device, ByteBuffer.allocate(10), write))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not direct");
    assertThatThrownBy(
            () -> MemoryMap.over(rig.engine, rig.device, ByteBuffer.allocateDirect(0), write))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPoolThatDoesNotFitIsRefused() {
    try (MemoryMap map = MemoryMap.allocate(rig.engine, rig.device, 64 + 10)) {
      RegisteredPool.of(rig.engine, map, 2, 10).close();
      assertThatThrownBy(() -> RegisteredPool.of(rig.engine, map, 2, 11))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("2 buffers of 11 bytes do not lie in the memory map of 74 bytes");
      BufferPool pool = RegisteredPool.of(rig.engine, map, 1, 74);
      assertThatThrownBy(map::close)
          .isInstanceOf(DocaException.class)
          .hasMessageContaining("doca_mmap_destroy: DOCA_ERROR_NOT_PERMITTED");
      pool.close();
    }
  }
}
