package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the number that one client of an RDMA server changes. */
class RdmaNumberTest {
  private final RdmaNumber number = new RdmaNumber();

  /** Adds an addition that finds this number. */
  private void add(long before, long summand) {
    number.requested(summand);
    number.added(before, summand);
  }

  private void swap(long before, long expected, long summand) {
    number.requested(summand);
    number.swapped(before, expected, summand);
  }

  @Test
  void eachAnswerHasOneRightNumber() {
    add(0, 2);
    swap(2, 2, 3);
    swap(5, 4, 1); // no effect
    add(5, 1);
    number.found(6);
    assertThat(number.wrong()).isZero();
    assertThat(number.isPossible(6)).isTrue();
    assertThat(number.isPossible(5)).isFalse();
    assertThat(number.isPossible(7)).isFalse();
  }

  @Test
  void aTaskWithoutItsEffectIsFound() {
    add(0, 2);
    add(0, 2);
    assertThat(number.wrong()).isEqualTo(1);
  }

  @Test
  void aTaskOfTheLastConnectionMayFollowOthers() {
    number.requested(2);
    number.disconnected();
    add(0, 1);
    number.found(3);
    assertThat(number.wrong()).isZero();
  }

  @Test
  void aConnectionThatEndsWithAllAnswersChangesNothing() {
    add(0, 2);
    number.disconnected();
    add(0, 1);
    assertThat(number.wrong()).isEqualTo(1);
  }

  @Test
  void anExchangeDespiteAnotherNumberIsFound() {
    swap(0, 7, 1);
    add(8, 1);
    assertThat(number.wrong()).isEqualTo(1);
  }

  @Test
  void aDamagedAnswerDoesNotChangeTheNumber() {
    add(1L << 32, 2);
    add(2, 1);
    assertThat(number.wrong()).isEqualTo(1);
    swap(1L << 32, 3, 1); // the effect is not known
    number.found(3);
    number.found(4);
    assertThat(number.wrong()).isEqualTo(2);
    number.found(5);
    assertThat(number.wrong()).isEqualTo(3);
  }

  @Test
  void aFailedTaskMayHaveItsEffectOnce() {
    number.requested(3);
    number.failed(3);
    number.found(0);
    number.found(3);
    add(3, 1);
    add(1, 1);
    assertThat(number.wrong()).isZero();
    assertThat(number.isPossible(2)).isTrue();
    assertThat(number.isPossible(5)).isTrue();
    assertThat(number.isPossible(6)).isFalse();
  }

  @Test
  void aRefusedTaskHasNoEffect() {
    number.requested(3);
    assertThat(number.predicted()).isEqualTo(3);
    number.refused(3);
    assertThat(number.predicted()).isZero();
    number.found(3);
    assertThat(number.wrong()).isEqualTo(1);
  }

  private void set(long value) {
    long change = value - number.predicted();
    number.requested(change);
    number.set(value, change);
  }

  @Test
  void aSetNumberIsTheNextOne() {
    set(4);
    number.found(4);
    add(4, 1);
    set(7);
    add(7, 1);
    assertThat(number.wrong()).isZero();
    number.found(7);
    assertThat(number.wrong()).isEqualTo(1);
  }

  @Test
  void noNumberIsWrongAfterAFailedTaskAndASet() {
    number.requested(3);
    number.failed(3);
    assertThat(number.isExact()).isFalse();
    set(5);
    number.found(99);
    assertThat(number.wrong()).isZero();
    assertThat(number.isPossible(99)).isTrue();
  }

  @Test
  void theMemoryMayHaveTasksWithoutAnAnswer() {
    add(0, 1);
    number.requested(2);
    assertThat(number.isPossible(1)).isTrue();
    assertThat(number.isPossible(3)).isTrue();
    assertThat(number.isPossible(0)).isFalse();
    assertThat(number.isPossible(4)).isFalse();
  }
}
