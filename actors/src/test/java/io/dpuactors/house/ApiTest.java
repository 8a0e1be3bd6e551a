package io.dpuactors.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.ApiPage;
import io.dpuactors.testing.Modules;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that docs/api.md lists the public types of the core, and that they are few. */
class ApiTest {
  private static final int MAX_TYPES = 90;
  private static final List<String> CORE =
      List.of("io.dpuactors.bridge", "io.dpuactors.protocol", "io.dpuactors.core");

  @ParameterizedTest
  @ValueSource(strings = {"io.dpuactors.bridge", "io.dpuactors.protocol", "io.dpuactors.core"})
  void thePageListsEveryTypeOnce(String module) throws IOException {
    assertThat(ApiPage.typesOf(module))
        .isNotEmpty()
        .containsExactlyElementsOf(Modules.exportedTypes(module));
  }

  @Test
  void theCoreIsSmall() {
    assertThat(CORE.stream().mapToInt(module -> Modules.exportedTypes(module).size()).sum())
        .isLessThanOrEqualTo(MAX_TYPES);
  }
}
