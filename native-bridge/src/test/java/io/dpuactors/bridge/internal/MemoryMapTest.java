package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Census;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryMapTest {
  private static final long GIB = 1L << 30;
  private static final int PAGE = 4096;

  private final Rig rig = new Rig();

  @AfterEach
  void end() {
    rig.close();
  }

  @Test
  void memoryIsAlignedZeroedAndWritable() {
    try (MemoryMap map = MemoryMap.allocate(rig.engine, rig.device, 10_000)) {
      assertThat(map.address() % PAGE).isZero();
      assertThat(map.bytes()).isEqualTo(10_000);
      assertThat(rig.engine.census().count(Census.Resource.MEMORY_MAP)).isEqualTo(1);
      ByteBuffer all = map.slice(0, 10_000);
      assertThat(all.order()).isEqualTo(ByteOrder.nativeOrder());
      for (int i = 0; i < 10_000; i++) {
        assertThat(all.get(i)).isZero();
      }
      all.putLong(8, 0x0102_0304_0506_0708L);
      assertThat(map.slice(8, 8).getLong()).isEqualTo(0x0102_0304_0506_0708L);
    }
  }

  @Test
  void moreThanTwoGibibytesAreOneMap() {
    try (MemoryMap map = MemoryMap.allocate(rig.engine, rig.device, 5 * GIB)) {
      ByteBuffer end = map.slice(5 * GIB - 16, 16);
      end.putLong(8, 42);
      assertThat(map.slice(5 * GIB - 8, 8).getLong(0)).isEqualTo(42);
      ByteBuffer large = map.slice(GIB, Integer.MAX_VALUE);
      large.put(Integer.MAX_VALUE - 1, (byte) 7);
      assertThat(map.slice(GIB + Integer.MAX_VALUE - 1, 1).get(0)).isEqualTo((byte) 7);
    }
  }

  @Test
  void slicesStayInside() {
    try (MemoryMap map = MemoryMap.allocate(rig.engine, rig.device, 100)) {
      assertThatThrownBy(() -> map.slice(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> map.slice(0, 101)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> map.slice(100, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> map.slice(Long.MAX_VALUE, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(map.slice(100, 0).capacity()).isZero();
    }
  }

  @Test
  void aClosedMapHasNoSlices() {
    MemoryMap map = MemoryMap.allocate(rig.engine, rig.device, 100);
    map.close();
    map.close();
    assertThatThrownBy(() -> map.slice(0, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("slice: memory map of 100 bytes is closed");
  }

  @Test
  void sizesThatAreNoneAreRefused() {
    assertThatThrownBy(() -> MemoryMap.allocate(rig.engine, rig.device, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MemoryMap.allocate(rig.engine, rig.device, 1L << 60))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("mmap of 1152921504606846976 bytes");
  }

  @Test
  void tenThousandMapsLeaveNoMemoryBehind() throws IOException {
    int mapBytes = 256 * 1024;
    createAndClose(1000, mapBytes);
    long before = addressSpaceBytes();
    createAndClose(10_000, mapBytes);
    long grown = addressSpaceBytes() - before;
    assertThat(grown).as("bytes left of %d", 10_000L * mapBytes).isLessThan(64L << 20);
  }

  private void createAndClose(int maps, int bytes) {
    for (int i = 0; i < maps; i++) {
      try (MemoryMap map = MemoryMap.allocate(rig.engine, rig.device, bytes)) {
        map.slice(0, 1).put(0, (byte) 1);
      }
    }
  }

  private static long addressSpaceBytes() throws IOException {
    String pages = Files.readString(Path.of("/proc/self/statm")).split(" ", 2)[0];
    return Long.parseLong(pages) * PAGE;
  }
}
