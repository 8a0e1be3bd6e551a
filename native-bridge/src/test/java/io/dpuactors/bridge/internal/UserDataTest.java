package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UserDataTest {
  /** Returns every power of two with its neighbours, in both signs. */
  private static List<Integer> edges() {
    List<Integer> edges = new ArrayList<>(List.of(0));
    for (int shift = 0; shift < Integer.SIZE; shift++) {
      int power = 1 << shift;
      edges.addAll(List.of(power - 1, power, power + 1, -power - 1, -power, -power + 1));
    }
    return edges.stream().distinct().toList();
  }

  @Test
  void everyPairOfLimitsRoundTrips() {
    for (int slot : edges()) {
      for (int generation : edges()) {
        long packed = UserData.pack(slot, generation);
        assertThat(UserData.slot(packed)).isEqualTo(slot);
        assertThat(UserData.generation(packed)).isEqualTo(generation);
      }
    }
  }

  @Test
  void noTwoPairsArePackedAlike() {
    Set<Long> seen = new HashSet<>();
    for (int slot : edges()) {
      for (int generation : edges()) {
        assertThat(seen.add(UserData.pack(slot, generation))).isTrue();
      }
    }
  }

  @Test
  void theDrawingIsTrue() {
    assertThat(UserData.pack(0x1234_5678, 0x9abc_def0)).isEqualTo(0x9abc_def0_1234_5678L);
    assertThat(UserData.pack(-1, 0)).isEqualTo(0x0000_0000_ffff_ffffL);
    assertThat(UserData.pack(0, -1)).isEqualTo(0xffff_ffff_0000_0000L);
  }
}
