package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.RingLayout;
import org.junit.jupiter.api.Test;

class RingLayoutTest {
  private static final int KINDS = TaskKind.values().length;

  private static int[] reported() {
    Rig.LIBRARY.name(); // loads the library
    int[] reported = new int[RingLayout.count()];
    DpuBridge.dpubridge_layout(reported, reported.length);
    return reported;
  }

  @Test
  void theLoadedLibraryAgrees() {
    assertThatCode(() -> RingLayout.compare(reported(), RingLayout.count(), KINDS))
        .doesNotThrowAnyException();
  }

  @Test
  void eachConstantThatDiffersIsRefused() {
    for (int i = 0; i < RingLayout.count(); i++) {
      int[] reported = reported();
      reported[i]++;
      assertThatThrownBy(() -> RingLayout.compare(reported, RingLayout.count(), KINDS))
          .as("constant %d", i)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("here, " + reported[i] + " there");
    }
  }

  @Test
  void everyDifferenceIsNamed() {
    int[] reported = reported();
    reported[0] = 99;
    reported[7] = 128;
    assertThatThrownBy(() -> RingLayout.compare(reported, RingLayout.count() + 1, KINDS))
        .hasMessageContaining("LAYOUT_VERSION: 5 here, 99 there")
        .hasMessageContaining("ENTRY_BYTES: 64 here, 128 there")
        .hasMessageContaining("number of constants: 47 here, 48 there");
  }
}
