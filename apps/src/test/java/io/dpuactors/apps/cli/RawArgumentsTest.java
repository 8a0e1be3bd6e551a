package io.dpuactors.apps.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RawArgumentsTest {
  @Test
  void bytesThatAreNotOfTheEncodingAreNamed() {
    assertThat(RawArguments.problem("caf\ufffd", "dpu\0caf\u00e9\0".getBytes(ISO_8859_1), UTF_8))
        .hasValueSatisfying(why -> assertThat(why).startsWith("'caf\ufffd' is not valid UTF-8"));
  }

  @Test
  void aReplacementCharacterThatTheUserWroteIsAName() {
    assertThat(RawArguments.problem("\ufffd", "dpu\0\ufffd\0".getBytes(UTF_8), UTF_8)).isEmpty();
    assertThat(RawArguments.problem(new String[] {"compress", "caf\u00e9"})).isEmpty();
  }
}
