package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.RingLayout;
import org.junit.jupiter.api.Test;

class RingLayoutTest {
  private static int[] told() {
    Rig.LIBRARY.name(); // loads the library
    int[] told = new int[RingLayout.count()];
    DpuBridge.dpubridge_layout(told, told.length);
    return told;
  }

  @Test
  void theLoadedLibraryAgrees() {
    assertThatCode(() -> RingLayout.compare(told(), RingLayout.count())).doesNotThrowAnyException();
  }

  @Test
  void eachConstantThatDiffersIsRefused() {
    for (int i = 0; i < RingLayout.count(); i++) {
      int[] told = told();
      told[i]++;
      assertThatThrownBy(() -> RingLayout.compare(told, RingLayout.count()))
          .as("constant %d", i)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("here, " + told[i] + " there");
    }
  }

  @Test
  void everyDifferenceIsNamed() {
    int[] told = told();
    told[0] = 99;
    told[7] = 128;
    assertThatThrownBy(() -> RingLayout.compare(told, RingLayout.count() + 1))
        .hasMessageContaining("LAYOUT_VERSION: 4 here, 99 there")
        .hasMessageContaining("ENTRY_BYTES: 64 here, 128 there")
        .hasMessageContaining("number of constants: 46 here, 47 there");
  }
}
