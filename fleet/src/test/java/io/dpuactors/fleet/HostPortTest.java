package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:25520", "[::1]:1", "dpu-7.example.org:65535", "node:80"})
  void addressesAreReadAndWritten(String text) {
    assertThat(HostPort.parse(text)).hasToString(text);
  }

  /** Pekko cannot send to these hosts and ports. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "node",
        "node:",
        ":80",
        "node:0",
        "node:65536",
        "node:-1",
        "::1:80",
        "[::1]",
        "[1.2]:80",
        "no_de:80",
        "-node:80",
        "no de:80",
        "a@node:80",
        "node:80/",
        "node:80?a",
        "1.2.3:80"
      })
  void otherTextsAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostPort.parse(text))
        .withMessage("'%s' is not an address such as 127.0.0.1:25520", text);
  }
}
