package io.dpuactors.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LibraryChoiceTest {

  @ParameterizedTest
  @EnumSource
  void readsWhatItWrites(LibraryChoice choice) {
    assertThat(LibraryChoice.parse(choice.toString())).isSameAs(choice);
    assertThat(LibraryChoice.parse(" " + choice.name() + " ")).isSameAs(choice);
  }

  @Test
  void anUnknownWordIsReportedWithTheChoices() {
    assertThatThrownBy(() -> LibraryChoice.parse("nvidia"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dpu.library is 'nvidia'; it must be auto, doca or softdpu");
  }
}
