package io.dpuactors.bridge.jna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests functions of the software DPU that are called by name. */
class NamedFunctionsTest {
  @BeforeAll
  static void load() {
    DocaLibrary.load(LibraryChoice.SOFTDPU);
  }

  @Test
  void theCodeOfAFunctionIsReturned() {
    assertThat(NamedFunctions.code("doca_sha", "create", 0L, new long[1]))
        .isEqualTo(DocaCode.INVALID_VALUE.value());
  }

  @Test
  void aPointerIsReturned() {
    assertThat(NamedFunctions.pointer("doca_sha", "as_ctx", 0L)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"doca_sha, no_such_function", "doca_absent, create"})
  void missingFunctionsAreNotSupported(String library, String function) {
    assertThat(NamedFunctions.code(library, function, 0L))
        .isEqualTo(DocaCode.NOT_SUPPORTED.value());
    assertThatThrownBy(() -> NamedFunctions.pointer(library, function, 0L))
        .isInstanceOf(UnsatisfiedLinkError.class)
        .hasMessage("no function " + library + "_" + function);
  }
}
