package io.dpuactors.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.ApiPage;
import io.dpuactors.testing.Modules;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests that docs/api.md lists the public types of this module. */
class StreamsApiTest {
  @Test
  void thePageListsEveryTypeOnce() throws IOException {
    assertThat(ApiPage.typesOf("io.dpuactors.streams"))
        .isNotEmpty()
        .containsExactlyElementsOf(Modules.exportedTypes("io.dpuactors.streams"));
  }
}
