package io.dpuactors.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GrowingNumberTest {
  private final GrowingNumber number = new GrowingNumber();

  @Test
  void requestsAreCountedFromZero() {
    assertThat(number.request()).isZero();
    assertThat(number.request()).isEqualTo(1);
    assertThat(number.requested()).isEqualTo(2);
  }

  @Test
  void eachAdditionFindsTheOneBefore() {
    assertThat(number.isRight(0, 0)).isTrue();
    assertThat(number.isRight(1, 1)).isTrue();
    assertThat(number.isRight(2, 2)).isTrue();
  }

  @Test
  void anAdditionMayHaveNoEffect() {
    assertThat(number.isRight(1, 0)).isTrue();
    assertThat(number.isRight(4, 2)).isTrue();
  }

  @Test
  void anAnswerMayOvertakeAnother() {
    assertThat(number.isRight(2, 2)).isTrue();
    assertThat(number.isRight(0, 0)).isTrue();
    assertThat(number.isRight(1, 1)).isTrue();
  }

  @Test
  void twoAdditionsFindDifferentNumbers() {
    assertThat(number.isRight(0, 0)).isTrue();
    assertThat(number.isRight(1, 0)).isFalse();
  }

  @Test
  void theNumberGrowsByOneForEachRequest() {
    assertThat(number.isRight(0, 1)).isFalse();
  }

  @Test
  void theNumberDoesNotShrink() {
    assertThat(number.isRight(3, 3)).isTrue();
    assertThat(number.isRight(4, 2)).isFalse();
  }
}
