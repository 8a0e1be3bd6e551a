package io.dpuactors.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.ApiPage;
import io.dpuactors.testing.Modules;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that docs/api.md lists the public types of this module, and those of the testkit. The
 * testkit itself has no access to the rig that reads the page.
 */
class ServicesApiTest {
  @ParameterizedTest
  @ValueSource(strings = {"io.dpuactors.services", "io.dpuactors.testkit"})
  void thePageListsEveryTypeOnce(String module) throws IOException {
    assertThat(ApiPage.typesOf(module))
        .isNotEmpty()
        .containsExactlyElementsOf(Modules.exportedTypes(module));
  }
}
