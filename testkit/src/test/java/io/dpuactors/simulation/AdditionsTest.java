package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the additions of several sides to a number. */
class AdditionsTest {
  private final Additions additions = new Additions();

  @Test
  void additionsCompleteInAnyOrder() {
    additions.requested(6);
    assertThat(additions.completed(3, 3)).isTrue();
    assertThat(additions.completed(0, 2)).isTrue();
    assertThat(additions.completed(2, 1)).isTrue();
    assertThat(additions.least()).isEqualTo(6);
  }

  /** Two additions that are not atomic read the same number, or one inside the other's change. */
  @Test
  void additionsThatOverlapAreFound() {
    additions.requested(9);
    assertThat(additions.completed(2, 3)).isTrue();
    for (int before = 0; before <= 4; before++) {
      assertThat(additions.completed(before, 3)).as("before %d", before).isFalse();
    }
    assertThat(additions.least()).isEqualTo(3);
    assertThat(additions.completed(5, 3)).isTrue();
  }

  @Test
  void completedAndRequestedAdditionsLimitTheNumber() {
    additions.requested(5);
    additions.requested(4);
    additions.refused(4);
    additions.completed(0, 2);
    assertThat(additions.isPossible(additions.least(), 1)).isFalse();
    assertThat(additions.isPossible(additions.least(), 2)).isTrue();
    assertThat(additions.isPossible(additions.least(), 5)).isTrue();
    assertThat(additions.isPossible(additions.least(), additions.most() + 1)).isFalse();
  }
}
