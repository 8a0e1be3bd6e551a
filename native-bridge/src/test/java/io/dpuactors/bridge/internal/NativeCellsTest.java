package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.jna.DpuBridge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeCellsTest {
  private static final int CACHE_LINE = 64;

  static {
    DocaLibrary.load(LibraryChoice.SOFTDPU);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 32", "2, 64", "4, 65", "16, 4080"})
  void cellsDoNotShareMemory(int count, int bytes) {
    NativeCells cells = NativeCells.allocate(count, bytes);
    assertThat(cells.count()).isEqualTo(count);
    assertThat(cells.bytesPerCell()).isEqualTo(bytes);
    for (int i = 0; i < count; i++) {
      assertThat(cells.address(i) % CACHE_LINE).isZero();
      assertThat(cells.view(i).capacity()).isEqualTo(bytes);
      assertThat(cells.view(i).order()).isEqualTo(ByteOrder.nativeOrder());
      for (int at = 0; at < bytes; at++) {
        assertThat(cells.view(i).get(at)).isZero();
        cells.view(i).put(at, (byte) (i + 1));
      }
    }
    for (int i = 0; i < count; i++) {
      ByteBuffer there = DpuBridge.view(cells.address(i), bytes);
      for (int at = 0; at < bytes; at++) {
        assertThat(there.get(at)).isEqualTo((byte) (i + 1));
      }
    }
  }

  @Test
  void aViewIsMadeOnce() {
    NativeCells cells = NativeCells.allocate(2, 8);
    assertThat(cells.view(1)).isSameAs(cells.view(1));
  }

  @Test
  void thereIsNoOtherCell() {
    NativeCells cells = NativeCells.allocate(2, 8);
    assertThatThrownBy(() -> cells.address(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cells.view(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @CsvSource({"0, 8", "-1, 8", "8, 0", "8, -1", "1, 2147483647", "1048576, 4096"})
  void sizesThatCannotBeAreRefused(int count, int bytes) {
    assertThatThrownBy(() -> NativeCells.allocate(count, bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(count + " cells of " + bytes + " bytes");
  }
}
