package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the valid and invalid values of keys below {@code dpu}. */
class ConfigValuesTest {
  private static Config config(String own) {
    return ConfigFactory.load(
        ConfigFactory.parseString(
            own, ConfigParseOptions.defaults().setOriginDescription("own.conf")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          dpu.compress.queue = many | dpu.compress.queue has type STRING rather than NUMBER
          dpu.compress = 3 | dpu.compress has type NUMBER rather than OBJECT
          dpu.compress.window = 1.5 | dpu.compress.window is '1.5'; it must be a whole number
          dpu.compress.window = " 64 " | dpu.compress.window is ' 64 '; it must be a whole number
          dpu.compress.window = 1f | dpu.compress.window is '1f'; it must be a whole number
          dpu.compress.window = NaN | dpu.compress.window is 'NaN'; it must be a whole number
          dpu.compress.window = [] | dpu.compress.window has type LIST rather than NUMBER
          dpu.dma.queue = -5 | dpu.dma.queue is '-5'; it must not be negative
          dpu.dma.deadline = -1s | dpu.dma.deadline is '-1s'; it must not be negative
          dpu.dma.deadline = 1x | Invalid value at 'dpu.dma.deadline': Could not parse time unit 'x' (try ns, us, ms, s, m, h, d)
          dpu.comch.server.restart.backoff = -1 | dpu.comch.server.restart.backoff is '-1'; it must not be negative
          dpu.engine-dispatcher.throughput = no | dpu.engine-dispatcher.throughput has type STRING rather than NUMBER
          """)
  void aValueThatCannotBeReadIsNamed(String own, String message) {
    assertThatThrownBy(() -> EngineSettings.from(config(own)))
        .hasMessage("own.conf: 1: " + message);
  }

  /** Cells of 1 GiB are possible; cells that are 64 bytes larger are not. */
  @Test
  void cellsThatDoNotFitIntoTheirMemoryAreRefused() {
    String cells = "dpu.engine { message-cells = 32768, message-bytes = %d }";
    assertThatCode(() -> EngineSettings.from(config(cells.formatted(32_768))))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> EngineSettings.from(config(cells.formatted(32_832))))
        .hasMessage(
            "dpu.engine.message-cells is 32768, and message-bytes 32832; their product must be at"
                + " most 1073741824");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dpu.compress.window = \"3\"",
        "dpu.compress.window = 3.0",
        "dpu.compress.deadline = 1500",
        "dpu.compress.deadline = 2 minutes",
        "dpu.comch.consumer.drain-deadline = 0s"
      })
  void aValueMayBeWrittenInManyWays(String own) {
    assertThatCode(() -> EngineSettings.from(config(own))).doesNotThrowAnyException();
  }
}
