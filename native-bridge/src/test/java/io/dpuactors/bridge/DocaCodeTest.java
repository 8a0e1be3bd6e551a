package io.dpuactors.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocaCodeTest {

  @Test
  void namesAndNumbersAreThoseOfTheTable() {
    Map<String, Integer> table = new LinkedHashMap<>();
    ApiTable.read("enums.tsv").stream()
        .filter(row -> row.get("enum").startsWith("doca_error "))
        .forEach(row -> table.put(row.get("constant"), Integer.valueOf(row.get("value"))));
    Map<String, Integer> codes = new LinkedHashMap<>();
    Arrays.stream(DocaCode.values()).forEach(code -> codes.put(code.docaName(), code.value()));

    assertThat(codes).isEqualTo(table).hasSize(32);
  }

  @ParameterizedTest
  @EnumSource
  void numberLeadsBackToItsCode(DocaCode code) {
    assertThat(DocaCode.of(code.value())).isSameAs(code);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 32, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void unknownNumberIsUnknown(int raw) {
    assertThat(DocaCode.of(raw)).isSameAs(DocaCode.UNKNOWN);
  }
}
