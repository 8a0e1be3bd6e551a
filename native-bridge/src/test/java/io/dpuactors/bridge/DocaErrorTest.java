package io.dpuactors.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DocaErrorTest {

  @Test
  void saysOperationCodeNumberAndSubject() {
    assertThat(DocaError.of("doca_ctx_start", 14, "compress on 0000:03:00.0"))
        .hasToString("doca_ctx_start: DOCA_ERROR_NOT_CONNECTED (14): compress on 0000:03:00.0");
  }

  @Test
  void saysNothingOfAnEmptySubject() {
    assertThat(DocaError.of("doca_pe_create", 7, ""))
        .hasToString("doca_pe_create: DOCA_ERROR_NO_MEMORY (7)");
  }

  @Test
  void keepsTheNumberOfAnUnknownCode() {
    DocaError error = DocaError.of("doca_dev_open", 4711, "");

    assertThat(error.code()).isSameAs(DocaCode.UNKNOWN);
    assertThat(error).hasToString("doca_dev_open: DOCA_ERROR_UNKNOWN (4711)");
  }

  @Test
  void checkThrowsUnlessSuccess() {
    assertThatCode(() -> DocaException.check("doca_pe_create", 0, "")).doesNotThrowAnyException();
    assertThatThrownBy(() -> DocaException.check("doca_pe_destroy", 3, "engine"))
        .isInstanceOfSatisfying(
            DocaException.class,
            e -> assertThat(e.error()).isEqualTo(DocaError.of("doca_pe_destroy", 3, "engine")))
        .hasMessage("doca_pe_destroy: DOCA_ERROR_IN_USE (3): engine");
  }
}
