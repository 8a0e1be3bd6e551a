package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.TaskKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the numbers of enum constants in the rings. */
class NumbersTest {
  @ParameterizedTest
  @EnumSource
  void kindsRoundTrip(TaskKind kind) {
    assertThat(TaskKind.of(kind.value())).isEqualTo(kind);
  }

  @Test
  void recordTypesBeginAtOne() {
    assertThat(RecordType.of(1)).isEqualTo(RecordType.TASK_DONE);
    assertThat(RecordType.of(4)).isEqualTo(RecordType.CONTEXT_STATE);
    assertThat(RecordType.of(9)).isEqualTo(RecordType.CONSUMER_EXPIRED);
    for (RecordType type : RecordType.values()) {
      assertThat(RecordType.of(type.value())).isEqualTo(type);
    }
  }

  @Test
  void statesAreDocas() {
    assertThat(ContextState.of(0)).isEqualTo(ContextState.IDLE);
    assertThat(ContextState.of(3)).isEqualTo(ContextState.STOPPING);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 100, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void numbersOfNothingAreRefused(int number) {
    assertThatThrownBy(() -> TaskKind.of(number)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RecordType.of(number)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ContextState.of(number)).isInstanceOf(IllegalArgumentException.class);
  }
}
